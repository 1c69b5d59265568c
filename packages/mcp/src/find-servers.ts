import { readOwnFile, readTrustedFile, listTrust } from "@bron/settings";
import type { Place } from "@bron/protocol";
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { parseServersFile, type ServerEntry, type ServersFile } from "./server-entry.ts";

const serversFileName = ".mcp.json";

/** A server of a file, before its variables are expanded. */
export interface FoundServer {
  /** The name that rules use. */
  readonly name: string;
  /** The name in the file. */
  readonly title: string;
  /** Undefined for the home. */
  readonly folder: string | undefined;
  readonly entry: ServerEntry | undefined;
  readonly problem: string | undefined;
  /** False if the owner has not accepted the file of the folder as it is now. */
  readonly isTrusted: boolean;
  /** Set for a server of the sandbox, which is in no file. */
  readonly isSample?: true;
}

/** Where a program of the home starts, and where its file is. */
export const serversFileOf = (home: string) => join(home, serversFileName);

export async function findHomeServers(home: string): Promise<FoundServer[]> {
  const read = await readOwnFile(serversFileOf(home));
  if (read.kind === "missing") return [];
  const file: ServersFile =
    read.kind === "read"
      ? parseServersFile(read.bytes)
      : { entries: new Map(), problems: new Map([["", `It was refused: ${read.reason}.`]]) };
  return toServers(file, { folder: undefined, isTrusted: true });
}

/**
 * The servers of a folder. They count only if the owner accepted exactly this file. Otherwise it is
 * not even parsed.
 */
export async function findFolderServers(home: string, folder: string): Promise<FoundServer[]> {
  const found = await readTrustedFile(folder, home, serversFileName).catch(() => undefined);
  const [file] = found?.trusted ?? [];
  if (file) return toServers(parseServersFile(file.bytes), { folder, isTrusted: true });
  if (!found || (found.untrusted.length === 0 && found.refused.length === 0)) return [];
  const problem =
    found.untrusted[0]?.change === "changed"
      ? "The file changed since you trusted it. Look at it with: bron trust"
      : "The file isn't trusted. Look at it with: bron trust";
  return [unreadable(folder, problem, false)];
}

/** The folders whose file the owner has accepted at some time. */
export async function findTrustedFolders(home: string): Promise<string[]> {
  const records = await listTrust(home).catch(() => []);
  return records.filter(({ files }) => serversFileName in files).map(({ folder }) => folder);
}

/** The folder of a run on this machine. */
export function folderOf(place: Place | null | undefined, machine: string): string | undefined {
  return place && "folder" in place && place.machine === machine ? place.folder : undefined;
}

/**
 * Two folders may have the same name and servers of the same name, and a rule for one of the owner's
 * own servers must not reach that of a folder. So the name contains the folder's path as a digest.
 */
function folderServerName(folder: string, name: string): string {
  const digest = createHash("sha256").update(folder).digest("hex").slice(0, 6);
  const short =
    basename(folder)
      .replaceAll(/[^A-Za-z0-9_-]/g, "")
      .slice(0, 12) || "folder";
  return `${short}-${digest}.${name}`;
}

function toServers(
  { entries, problems }: ServersFile,
  { folder, isTrusted }: Pick<FoundServer, "folder" | "isTrusted">,
): FoundServer[] {
  const nameOf = (title: string) =>
    folder === undefined ? title : folderServerName(folder, title);
  const good = [...entries].map(([title, entry]) => ({
    name: nameOf(title),
    title,
    folder,
    entry,
    problem: undefined,
    isTrusted,
  }));
  const bad = [...problems].map(([title, problem]) =>
    title === ""
      ? unreadable(folder, problem, isTrusted)
      : { name: nameOf(title), title, folder, entry: undefined, problem, isTrusted },
  );
  return [...good, ...bad];
}

function unreadable(folder: string | undefined, problem: string, isTrusted: boolean): FoundServer {
  const title = serversFileName;
  const name = folder === undefined ? title : folderServerName(folder, "file");
  return { name, title, folder, entry: undefined, problem, isTrusted };
}
