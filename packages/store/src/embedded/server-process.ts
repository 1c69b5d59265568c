import { spawn } from "node:child_process";
import { chmod, open, rename, stat, statfs, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BronError } from "@bron/core";
import { giveTo, spawnAs, type ServerAccount } from "./account.ts";
import { type PostgresBinaries } from "./binaries.ts";
import { diskFull, errnoOf, saysDiskFull } from "./failures.ts";
import { findPostmaster, serves } from "./postmaster.ts";

export interface ServerProcess {
  readonly pid: number;
  hasEnded(): boolean;
  /** What the log gained since this process was started. */
  readLog(): Promise<string>;
}

const longestLogBytes = 5 * 1024 * 1024;
const smallestFreeBytes = 16 * 1024 * 1024; // one segment of the write-ahead log

export function logPath(folder: string): string {
  return join(folder, "postgres.log");
}

/** Starts Postgres in a session of its own, so that neither Ctrl-C nor the death of this process reaches it. */
export async function startServer(input: {
  readonly folder: string;
  readonly data: string;
  readonly socketFolder: string;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount;
}): Promise<ServerProcess> {
  const program = join(input.binaries.folder, "bin/postgres");
  const log = await openLog(input.folder, input.account);
  try {
    const start = (await log.stat()).size;
    const child = spawn(program, ["-D", input.data, ...settings(input.socketFolder)], {
      ...spawnAs(input.account),
      detached: true,
      stdio: ["ignore", log.fd, log.fd],
    });
    let ended = false;
    child.once("exit", () => (ended = true));
    await new Promise<void>((done, fail) => {
      child.once("spawn", done);
      child.once("error", (error) => fail(cannotRun(program, input.account, error)));
    });
    child.unref();
    return {
      pid: child.pid ?? 0,
      hasEnded: () => ended,
      readLog: () => readFrom(logPath(input.folder), start),
    };
  } finally {
    await log.close();
  }
}

/** Fast shutdown of whatever runs on the data folder; returns when its process is gone. */
export async function stopServer(data: string): Promise<void> {
  const running = await findPostmaster(data);
  if (running === undefined) return;
  // The second is the immediate shutdown, which the next start recovers from: only for a server that hangs.
  for (const [signal, graceMs] of [
    ["SIGINT", 60_000],
    ["SIGQUIT", 15_000],
  ] as const) {
    sendSignal(running.pid, signal);
    const until = performance.now() + graceMs;
    while (performance.now() < until) {
      if (!(await serves(running.pid, data))) return;
      await sleep(10);
    }
  }
  throw new BronError(
    "postgres_failed",
    `Postgres (pid ${running.pid}, data in ${data}) did not stop. End that process, then start Bron again.`,
  );
}

/** Why a start failed, in the words of the log. */
export async function startFailure(folder: string, log: string): Promise<BronError> {
  const disk = await statfs(folder).catch(() => undefined);
  const isFull = disk !== undefined && disk.bavail * disk.bsize < smallestFreeBytes;
  if (saysDiskFull(log) || isFull) return diskFull(folder);
  const tail = log.trim().split("\n").slice(-12).join("\n").slice(-2000);
  const words = tail === "" ? "It wrote nothing to its log." : `The end of its log:\n${tail}`;
  return new BronError(
    "postgres_failed",
    `The embedded Postgres did not start (log: ${logPath(folder)}). ${words}`,
    { details: { log: logPath(folder) } },
  );
}

export function cannotRun(program: string, account: ServerAccount, error: Error): BronError {
  const code = errnoOf(error);
  if (code === "ENOENT" || code === "ENOEXEC") {
    return new BronError(
      "postgres_missing",
      `${program} does not run on this system (it needs glibc, which Alpine lacks). Set DATABASE_URL to your own Postgres server.`,
      { cause: error },
    );
  }
  const identity = account.lent ? ` as uid ${account.uid}` : "";
  return new BronError(
    "postgres_failed",
    `${program} can't be run${identity}: ${error.message}. Run Bron as an ordinary user, or set DATABASE_URL.`,
    { cause: error },
  );
}

function settings(socketFolder: string): string[] {
  const values = {
    listen_addresses: "",
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: "64MB",
    // Failed statements may quote private text and reach their client anyway; the log is for the server's own troubles.
    log_min_messages: "log",
    log_checkpoints: "off",
  };
  return Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function openLog(folder: string, account: ServerAccount): Promise<FileHandle> {
  const path = logPath(folder);
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > longestLogBytes) await rename(path, `${path}.old`);
  const log = await open(path, "a", 0o600);
  await chmod(path, 0o600);
  await giveTo(account, path);
  return log;
}

async function readFrom(path: string, start: number): Promise<string> {
  const log = await open(path, "r");
  try {
    const { size } = await log.stat();
    const from = Math.max(size < start ? 0 : start, size - 64 * 1024);
    if (from === size) return "";
    const { buffer, bytesRead } = await log.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await log.close();
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) !== "ESRCH") throw error;
  }
}
