// Builds the `bron` command if it was never built or if its sources or libraries are newer.
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";
import { newestIn, timeOf } from "./newest-in.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, "apps", "cli", "dist");
const packages = await readdir(join(root, "packages"));
const sources = [
  ...packages.map((name) => join(root, "packages", name, "src")),
  join(root, "apps", "cli", "src"),
  join(root, "apps", "server", "src"),
  join(root, "package-lock.json"),
];

const newest = Math.max(...(await Promise.all(sources.map(newestIn))));
if ((await timeOf(join(folder, "main.js"))) < newest)
  await bundle({ input: join(root, "apps", "cli", "src", "main.ts"), folder });
