// Builds the worker that the crash tests start and kill many times, into the folder that is given.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folder] = process.argv.slice(2);

await bundle({
  input: join(root, "test", "crash", "support", "worker-process.ts"),
  folder: join(root, folder),
});
