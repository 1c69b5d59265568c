import {
  readFolder,
  readFolderFile,
  type FolderFile,
  type FolderSnapshot,
  type RefusedFile,
} from "./folder-files.ts";
import { readTrust, type TrustRecord } from "./trust-records.ts";

interface UntrustedFile {
  readonly path: string;
  readonly change: "added" | "changed";
}

interface TrustedFiles {
  readonly folder: string;
  /** The files that count, with the bytes that were checked. */
  readonly trusted: readonly FolderFile[];
  readonly untrusted: readonly UntrustedFile[];
  readonly refused: readonly RefusedFile[];
  /** Accepted files that no longer exist. */
  readonly missing: readonly string[];
}

/**
 * Reads the files of a folder and keeps those that the owner accepted with exactly these bytes.
 * This is the only way in which a feature may read a file of a folder.
 */
export async function readTrustedFiles(folder: string, home: string): Promise<TrustedFiles> {
  const snapshot = await readFolder(folder, home);
  return compareTrust(snapshot, await readTrust(home, snapshot.folder));
}

/** Does the same for one file of the list. */
export async function readTrustedFile(
  folder: string,
  home: string,
  path: string,
): Promise<TrustedFiles> {
  const snapshot = await readFolderFile(folder, home, path);
  return compareTrust(snapshot, await readTrust(home, snapshot.folder));
}

export function compareTrust(
  { folder, files, refused }: FolderSnapshot,
  record: TrustRecord | undefined,
): TrustedFiles {
  const accepted = new Map(Object.entries(record?.files ?? {}));
  const isTrusted = ({ path, digest }: FolderFile) => accepted.get(path) === digest;
  const present = new Set([...files, ...refused].map(({ path }) => path));
  return {
    folder,
    trusted: files.filter(isTrusted),
    untrusted: files
      .filter((file) => !isTrusted(file))
      .map(({ path }) => ({ path, change: accepted.has(path) ? "changed" : "added" })),
    refused,
    missing: [...accepted.keys()].filter((path) => !present.has(path)),
  };
}
