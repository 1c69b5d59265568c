import { BronError, sha256 } from "@bron/core";
import { asHomeFailure, codeOf, ensureFolder, ensureHome, replaceFile } from "@bron/files";
import { readdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import type { FolderSnapshot } from "./folder-files.ts";
import { readRegularFile } from "./read-regular-file.ts";

const recordSchema = z.strictObject({
  version: z.literal(1),
  /** The real path of the folder. */
  folder: z.string(),
  trustedAt: z.iso.datetime(),
  /** Digest by path. */
  files: z.record(z.string(), z.string().regex(/^sha256:[0-9a-f]{64}$/)),
});

/** What the owner accepted in one folder, file by file. */
export type TrustRecord = z.infer<typeof recordSchema>;

const maxRecordBytes = 4 * 1024 * 1024;

/**
 * Each folder has a file of its own, so that two processes never overwrite each other's records.
 */
const folderOfRecords = (home: string) => join(home, "trust");
const pathOfRecord = async (home: string, folder: string) => {
  const digest = await sha256(new TextEncoder().encode(folder));
  return join(folderOfRecords(home), `${digest.slice("sha256:".length)}.json`);
};

/** The record of a folder, given by its real path. Throws config_invalid if it is damaged. */
export async function readTrust(home: string, folder: string): Promise<TrustRecord | undefined> {
  const record = await readRecord(await pathOfRecord(home, folder));
  return record?.folder === folder ? record : undefined;
}

async function readRecord(path: string): Promise<TrustRecord | undefined> {
  const read = await readRegularFile(path, maxRecordBytes);
  if (read.kind === "missing") return undefined;
  const parsed = read.kind === "read" ? parseRecord(read.bytes) : undefined;
  if (parsed) return parsed;
  throw new BronError(
    "config_invalid",
    `${path} is damaged, so no file of its folder is trusted.`,
    {
      details: { hint: "Delete this file, then run bron trust in the folder." },
    },
  );
}

function parseRecord(bytes: Uint8Array): TrustRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** Trusts exactly the files of the snapshot, and no longer any other file of the folder. */
export async function saveTrust(
  home: string,
  { folder, files }: FolderSnapshot,
  now: Date,
): Promise<TrustRecord> {
  const record: TrustRecord = {
    version: 1,
    folder,
    trustedAt: now.toISOString(),
    files: Object.fromEntries(files.map(({ path, digest }) => [path, digest])),
  };
  const path = await pathOfRecord(home, folder);
  try {
    await ensureHome(home);
    await ensureFolder(folderOfRecords(home));
    await replaceFile(path, `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    throw asHomeFailure(error, path);
  }
  return record;
}

/** All records, by folder. */
export async function listTrust(home: string): Promise<TrustRecord[]> {
  const names = await readdir(folderOfRecords(home)).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw asHomeFailure(error, folderOfRecords(home));
  });
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith(".json"))
      .map((name) => readRecord(join(folderOfRecords(home), name))),
  );
  return records
    .filter((record) => record !== undefined)
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Returns the record that was removed. The folder itself may be gone. */
export async function revokeTrust(home: string, folder: string): Promise<TrustRecord | undefined> {
  const real = await realpath(folder).catch(() => resolve(folder));
  const record = await readTrust(home, real);
  if (record) await rm(await pathOfRecord(home, real), { force: true });
  return record;
}
