import { BronError, messageOf } from "@bron/core";
import { skillLimits } from "@bron/protocol";
import { constants } from "node:fs";
import { lstat, open, opendir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { isIgnored } from "./skill-files.ts";

const maxEntries = 1_000;

interface Limits {
  readonly maxFiles: number;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

const limitsOfSkill: Limits = {
  maxFiles: skillLimits.files,
  maxDepth: skillLimits.pathDepth,
  maxBytes: skillLimits.totalBytes,
};

interface Collected {
  readonly root: string;
  readonly limits: Limits;
  readonly files: Map<string, Uint8Array>;
  entries: number;
  bytes: number;
}

/** The files of one folder. Follows no link, and reads a bounded amount. Throws invalid_input. */
export async function readSkillFolder(path: string): Promise<{
  readonly folder: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}> {
  const root = resolve(path);
  return { folder: basename(root), files: await readFiles(root, limitsOfSkill) };
}

/** The files of a folder with skills in it. The same rules hold. */
export async function readSkillFolders(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  return await readFiles(path, {
    maxFiles: maxEntries,
    maxDepth: skillLimits.pathDepth + 3,
    maxBytes: 16 * skillLimits.totalBytes,
  });
}

async function readFiles(root: string, limits: Limits): Promise<ReadonlyMap<string, Uint8Array>> {
  const collected: Collected = { root, limits, files: new Map(), entries: 0, bytes: 0 };
  await collect(collected, "");
  return collected.files;
}

async function collect(collected: Collected, folder: string): Promise<void> {
  const { root, limits } = collected;
  if (folder.split("/").length > limits.maxDepth + 1)
    throw cannotUse(folder, `it has more than ${limits.maxDepth} levels`);
  const entries = await opendir(join(root, folder)).catch((error: unknown) => {
    throw cannotUse(folder === "" ? root : folder, messageOf(error));
  });
  for await (const entry of entries) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isIgnored(path)) continue;
    collected.entries += 1;
    if (collected.entries > maxEntries)
      throw cannotUse(root, `it has more than ${maxEntries} entries`);
    if (entry.isSymbolicLink()) throw cannotUse(path, "it is a link");
    if (entry.isDirectory()) await collect(collected, path);
    else collected.files.set(path, await readOne(collected, path));
    if (collected.files.size > limits.maxFiles)
      throw cannotUse(root, `it has more than ${limits.maxFiles} files`);
  }
}

/** Reads through one handle, so that a file that is replaced meanwhile is not read in part. */
async function readOne(collected: Collected, path: string): Promise<Uint8Array> {
  const place = join(collected.root, path);
  // Opening a device can have consequences, so the kind is checked before and after.
  if (!(await lstat(place)).isFile()) throw cannotUse(path, "it is not a regular file");
  const file = await open(
    place,
    // Windows has neither flag.
    constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
  );
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw cannotUse(path, "it is not a regular file");
    const limit = skillLimits.fileBytes;
    if (stats.size > limit) throw cannotUse(path, `it is larger than ${limit / 1024} KB`);
    collected.bytes += stats.size;
    if (collected.bytes > collected.limits.maxBytes)
      throw cannotUse(
        collected.root,
        `its files are larger than ${collected.limits.maxBytes / 1024} KB together`,
      );
    const buffer = new Uint8Array(stats.size);
    const { bytesRead } = await file.read(buffer, 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function cannotUse(path: string, why: string): BronError {
  return new BronError("invalid_input", `${path} can't be used as a skill: ${why}.`);
}
