export { createEntryNames } from "./entry-names.ts";
export { withFileLock } from "./file-lock.ts";
export { asHomeFailure, codeOf, ensureFolder, ensureHome, replaceFile } from "./home-folder.ts";
