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
  const files = [join(root, "package-lock.json"), ...folders.flatMap(sourcesIn)];
  return Math.max(...files.map((file) => statSync(file).mtimeMs));
}

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/\.(?:test|fixture)\.ts$/.test(file))
    .map((file) => join(folder, file));
}
