import { fileURLToPath } from "node:url";

/** For the environment of programs under test: what Node made of their sources is kept, which is half of what a short command takes. */
export const compileCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url)),
};
