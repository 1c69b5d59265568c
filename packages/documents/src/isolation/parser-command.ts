import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
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

/**
 * Runs Node on the parser's main file. It may read only its own sources and libraries: no writes,
 * no programs, no add-ons, no network.
 */
export function parserCommand(optional: readonly string[] = optionalLibraries): Command {
  const main = realpathSync(new URL("../parser/child.ts", import.meta.url));
  const noNetwork = realpathSync(new URL("../parser/no-network.ts", import.meta.url));
  const sources = dirname(main);
  const manifest = join(sources, "..", "..", "package.json");
  const reads = [sources, manifest, ...packageFolders([...libraries, ...optional], sources)];
  const permissions = [
    "--permission",
    "--allow-worker",
    ...reads.map((path) => `--allow-fs-read=${path}`),
  ];
  const args = [
    ...permissions,
    "--disallow-code-generation-from-strings",
    "--require",
    noNetwork,
    main,
  ];
  return { file: process.execPath, args, reads, folder: sources };
}
