import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const cli = dirname(dirname(fileURLToPath(import.meta.url)));
const root = dirname(dirname(cli));

/** The folder of the built program. */
const builtFolder = join(cli, "dist");

/**
 * The main file of the `bron` command: the built one, which starts a third faster, or the source if
 * anything changed since the last build. A build is optional: `npm start` and `npm test` make one.
 */
export function programFile() {
  const built = join(builtFolder, "main.js");
  return existsSync(built) && statSync(built).mtimeMs >= lastChange()
    ? built
    : join(cli, "src", "main.ts");
}

/** When a source file of the program, or the list of its libraries, was last changed. */
function lastChange() {
  // An installed package has no sources beside it.
  if (!existsSync(join(root, "packages"))) return 0;
  const folders = [
    ...readdirSync(join(root, "packages")).map((name) => join(root, "packages", name, "src")),
    join(root, "apps", "cli", "src"),
    join(root, "apps", "server", "src"),
  ];
  let newest = statSync(join(root, "package-lock.json")).mtimeMs;
  for (const folder of folders) newest = Math.max(newest, lastChangeIn(folder));
  return newest;
}

/** Walks by itself, because `readdir` with `recursive` takes eight times as long. */
function lastChangeIn(folder) {
  if (!existsSync(folder)) return 0;
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) newest = Math.max(newest, lastChangeIn(path));
    else if (isSource(entry.name)) newest = Math.max(newest, statSync(path).mtimeMs);
  }
  return newest;
}

function isSource(name) {
  return name.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/.test(name);
}
