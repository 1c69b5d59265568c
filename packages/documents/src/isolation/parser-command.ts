import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolders } from "./package-folders.ts";

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  /** Paths that it must be able to read, besides Node itself. */
  readonly reads: readonly string[];
  /**
   * Working directory. It must be one of the readable paths, because Node lets every thread but the
   * first read the folder where the process started, whatever its permissions say.
   */
  readonly folder: string;
}

const libraries = [
  "unpdf",
  "read-excel-file",
  "papaparse",
  "mammoth",
  "parse5",
  "postal-mime",
  "node-ical",
  "tinyld",
];
/** For reading text in images, if installed. */
const optionalLibraries = ["tesseract.js", "@tesseract.js-data/eng"];

const packageFolder = realpathSync(fileURLToPath(new URL("../..", import.meta.url)));

/**
 * Runs Node on the parser's main file. It may read only its own sources and libraries: no writes,
 * no programs, no add-ons, no network.
 */
export function parserCommand(optional: readonly string[] = optionalLibraries): Command {
  const { folder, extension } = parserFiles(packageFolder);
  const manifest = join(packageFolder, "package.json");
  const reads = [folder, manifest, ...packageFolders([...libraries, ...optional], folder)];
  const permissions = [
    "--permission",
    "--allow-worker",
    ...reads.map((path) => `--allow-fs-read=${path}`),
  ];
  const args = [
    ...permissions,
    ...["no-code-from-text", "no-network"].flatMap((name) => [
      "--require",
      join(folder, `${name}${extension}`),
    ]),
    join(folder, `child${extension}`),
  ];
  return { file: process.execPath, args, reads, folder };
}

/**
 * The built parser, which starts three times as fast, or its sources if they changed since. A
 * build is optional: `npm start` and `npm test` make one.
 */
export function parserFiles(within: string): {
  readonly folder: string;
  readonly extension: ".js" | ".ts";
} {
  const sources = join(within, "src", "parser");
  const built = join(within, "dist", "parser");
  const main = join(built, "child.js");
  const isFresh = existsSync(main) && statSync(main).mtimeMs >= newestIn(sources);
  return isFresh ? { folder: built, extension: ".js" } : { folder: sources, extension: ".ts" };
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Math.max(...files.map((file) => statSync(join(folder, file)).mtimeMs));
}
