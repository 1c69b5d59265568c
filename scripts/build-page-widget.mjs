// Builds the chat for web pages: one file for a script tag and one to import. A build takes a second.
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gzip as gzipCallback } from "node:zlib";
import { newestIn, timeOf } from "./newest-in.mjs";

const gzip = promisify(gzipCallback);
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "packages", "page-widget");
const files = [
  { entry: "script-tag.ts", format: "iife", name: "bron-chat.js" },
  { entry: "index.ts", format: "es", name: "bron-chat.mjs" },
];

const built = await timeOf(join(folder, "dist", "bron-chat.mjs.gz"));
const newest = Math.max(
  await newestIn(join(folder, "src")),
  await newestIn(fileURLToPath(import.meta.url)),
);
if (built < newest) {
  const { build } = await import(
    pathToFileURL(join(root, "node_modules", "vite", "dist", "node", "index.js")).href
  );
  await mkdir(join(folder, "dist"), { recursive: true });
  for (const { entry, format, name } of files) {
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: "warn",
      build: {
        write: false,
        target: "es2022",
        minify: true,
        lib: { entry: join(folder, "src", entry), formats: [format], name: "bronChat" },
      },
    });
    const { code } = [result].flat()[0].output[0];
    await writeAtOnce(join(folder, "dist", name), code);
    await writeAtOnce(join(folder, "dist", `${name}.gz`), await gzip(code, { level: 9 }));
  }
}

/** Two builds at the same time never leave half a file. */
async function writeAtOnce(path, content) {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, content);
  await rename(temporary, path).catch(async (error) => {
    await rm(temporary, { force: true });
    if ((await readFile(path).catch(() => undefined)) === undefined) throw error;
  });
}
