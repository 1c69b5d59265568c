// Builds the page if it was never built or if its sources are newer. A build takes half a second.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { newestIn, timeOf } from "./newest-in.mjs";

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const web = join(root, "apps", "web");
const sources = [
  "apps/web/src",
  "apps/web/index.html",
  "apps/web/vite.config.ts",
  "packages/client/src",
  "packages/protocol/src",
].map((path) => join(root, path));

const built = await timeOf(join(web, "dist", "index.html"));
const newest = Math.max(...(await Promise.all(sources.map(newestIn))));
if (built < newest) {
  const { build } = await import(
    pathToFileURL(join(root, "node_modules", "vite", "dist", "node", "index.js")).href
  );
  await build({ root: web, logLevel: "warn" });
  await compressIn(join(web, "dist", "assets"));
}

/**
 * Compresses the assets at build time instead of at every request, because slow connections load
 * them too.
 */
async function compressIn(folder) {
  const names = (await readdir(folder)).filter((name) => /\.(?:js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      await writeFile(join(folder, `${name}.br`), await brotli(bytes));
      await writeFile(join(folder, `${name}.gz`), await gzip(bytes, { level: 9 }));
    }),
  );
}
