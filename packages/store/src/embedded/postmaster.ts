import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { readIfExists, removeIfStill } from "./atomic-file.ts";
import { errnoOf } from "./failures.ts";
import { isAlive } from "./is-alive.ts";
import { socketPort } from "./socket-folder.ts";

/** The server that currently runs on a data folder. */
export interface Postmaster {
  readonly pid: number;
  /** The folder of its socket. Unknown right after the start. */
  readonly socketFolder: string | undefined;
}

/** Reads `postmaster.pid`, and trusts it only if that process is a Postgres on this folder. */
export async function findPostmaster(data: string): Promise<Postmaster | undefined> {
  const lines = (await readIfExists(join(data, "postmaster.pid")))?.split("\n");
  const pid = Math.abs(Number(lines?.[0]));
  if (!Number.isSafeInteger(pid) || pid === 0 || !(await serves(pid, data))) return undefined;
  return { pid, socketFolder: lines?.[4]?.trim() || undefined };
}

/**
 * Removes stale lock files. Postgres itself removes one whose process is gone, but it takes any
 * living process of its own uid for a server. After a reboot or in a new container that may be any
 * process, and a zombie counts too.
 */
export async function clearStaleLocks(data: string, socketFolder: string): Promise<void> {
  for (const path of [
    join(data, "postmaster.pid"),
    join(socketFolder, `.s.PGSQL.${socketPort}.lock`),
  ]) {
    const content = await readIfExists(path);
    const pid = Math.abs(Number(content?.split("\n")[0]));
    if (content === undefined || !(pid > 0) || !isAlive(pid) || (await serves(pid, data))) continue;
    await removeIfStill(path, content);
  }
}

/**
 * Whether the process is alive and is a Postgres server on this data folder. A zombie is not alive.
 */
export async function serves(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux")
    return commandOf(pid).then((line) => line.includes("postgres") && line.includes(data));
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  const words = command.split("\0");
  if (basename(words[0] ?? "") !== "postgres") return false;
  try {
    const [cwd, folder] = await Promise.all([stat(`/proc/${pid}/cwd`), stat(data)]);
    return cwd.dev === folder.dev && cwd.ino === folder.ino;
  } catch (error) {
    // Root in a container may not inspect processes of other uids, but their command line is
    // public.
    return (
      (errnoOf(error) === "EACCES" || errnoOf(error) === "EPERM") &&
      words[words.indexOf("-D") + 1] === data
    );
  }
}

async function commandOf(pid: number): Promise<string> {
  try {
    return (await promisify(execFile)("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)]))
      .stdout;
  } catch {
    return "";
  }
}
