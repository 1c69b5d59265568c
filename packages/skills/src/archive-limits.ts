import { BronError } from "@bron/core";
import { skillLimits } from "@bron/protocol";
import { isIgnored, whyNotPath } from "./skill-files.ts";

/** The files of an archive by their paths in it. */
export type ArchiveFiles = ReadonlyMap<string, Uint8Array>;

/** The folder around the skill is one level more. */
const maxDepth = skillLimits.pathDepth + 1;

export function archiveError(why: string): BronError {
  return new BronError("invalid_input", `This archive can't be used. ${why}`);
}

/** Whether an entry is a file to keep. Throws invalid_input for one that leads elsewhere or comes twice. */
export function checkEntry(name: string, before: ArchiveFiles): boolean {
  if (isIgnored(name)) return false;
  const why = whyNotPath(name, maxDepth);
  if (why !== undefined) throw archiveError(`${JSON.stringify(name.slice(0, 200))}: ${why}`);
  if (before.has(name)) throw archiveError(`${JSON.stringify(name)} is in it twice.`);
  return true;
}

/** Counts files and bytes. Throws invalid_input as soon as there are too many. */
export function createRoom() {
  let [files, bytes] = [0, 0];
  return {
    take(size: number, name: string) {
      files += 1;
      bytes += size;
      if (files > skillLimits.files)
        throw archiveError(`It has more than ${skillLimits.files} files.`);
      if (size > skillLimits.fileBytes)
        throw archiveError(
          `${JSON.stringify(name.slice(0, 200))} is larger than ${skillLimits.fileBytes / 1024} KB.`,
        );
      if (bytes > skillLimits.totalBytes)
        throw archiveError(
          `Its files are larger than ${skillLimits.totalBytes / 1024} KB together.`,
        );
    },
  };
}
