import * as parseSettings from "../../../packages/settings/src/parse-settings.ts";
import * as secrets from "../../../packages/settings/src/secrets.ts";
import * as setSetting from "../../../packages/settings/src/set-setting.ts";
import type { TextModule } from "./text-module.ts";

export const settingsFunctions: Readonly<Record<string, TextModule>> = {
  "settings/parse-settings": {
    exports: parseSettings,
    runs: {
      parseSettings: (text) =>
        parseSettings.parseSettings(new TextEncoder().encode(text), { file: "s", place: "home" }),
      "parseSettings (a comment)": (text) =>
        parseSettings.parseSettings(new TextEncoder().encode(`{ /*${text}*/ }`), {
          file: "s",
          place: "home",
        }),
      "parseSettings (a value)": (text) =>
        parseSettings.parseSettings(
          new TextEncoder().encode(JSON.stringify({ model: text, [text]: text })),
          { file: "s", place: "folder" },
        ),
    },
  },
  "settings/secrets": {
    exports: secrets,
    runs: {
      secretNameAdvice: (text) => secrets.secretNameAdvice(text),
      isSecretValue: (text) => secrets.isSecretValue(text),
    },
  },
  "settings/set-setting": {
    exports: setSetting,
    runs: {
      setSetting: (text) => setSetting.setSetting(`{ "model": "x" ${text} }`, "undoSeconds", 5),
    },
    without: ["findSetting", "parseSettingValue"],
  },
};
