import { fileURLToPath } from "node:url";

/**
 * Environment for programs under test. It keeps Node's compiled code, which halves the time of a
 * short command.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url)),
};
