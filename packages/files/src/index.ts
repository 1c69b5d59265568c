export { asHomeFailure, codeOf, ensureFolder, ensureHome, replaceFile } from "./home-folder.ts";
