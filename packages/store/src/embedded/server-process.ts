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
  /** What was added to the log since this process started. */
  readLog(): Promise<string>;
}

const maxLogBytes = 5 * 1024 * 1024;
const minFreeBytes = 16 * 1024 * 1024; // one segment of the write-ahead log

export function logPath(folder: string): string {
  return join(folder, "postgres.log");
}

/**
 * Starts Postgres in its own session, so that neither Ctrl-C nor a crash of this process affects
 * it.
 */
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

/**
 * Requests a fast shutdown of the server on this data folder. Resolves when its process is gone.
 */
export async function stopServer(data: string): Promise<void> {
  const running = await findPostmaster(data);
  if (running === undefined) return;
  // The second signal requests an immediate shutdown, from which the next start recovers. It is
  // only for a server that hangs.
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

/** Explains why a start failed, with the end of the log. */
export async function startFailure(folder: string, log: string): Promise<BronError> {
  const disk = await statfs(folder).catch(() => undefined);
  const isFull = disk !== undefined && disk.bavail * disk.bsize < minFreeBytes;
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
  const identity = account.dropsRoot ? ` as uid ${account.uid}` : "";
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
    // The log contains only problems of the server. Failed statements may contain private text, and
    // their client gets the error anyway.
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
  if (size > maxLogBytes) await rename(path, `${path}.old`);
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
