export { folderSettingsPath, readFolder } from "./folder-files.ts";
export {
  homeSettingsPath,
  loadSettings,
  parseFile,
  readOwnFile,
  type LoadedSettings,
} from "./load-settings.ts";
export { isSecretValue } from "./secrets.ts";
export { findSetting, parseSettingValue, setSetting } from "./set-setting.ts";
export { settingsJsonSchema } from "./settings-schema.ts";
export { settingsTable } from "./settings-table.ts";
export { listTrust, readTrust, revokeTrust, saveTrust } from "./trust-records.ts";
export { compareTrust, readTrustedFile, readTrustedFiles } from "./trusted-files.ts";
