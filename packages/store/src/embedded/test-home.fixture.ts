// Test helpers: homes in /tmp that clean up after themselves, and other processes that open them.
import { omitUndefined } from "@bron/protocol";
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { onTestFinished } from "vitest";
import { openEmbeddedPostgres, type EmbeddedPostgres } from "./embedded-postgres.ts";
import { dataFolder } from "./location.ts";
import { stopServer } from "./server-process.ts";
import { findSocketFolder } from "./socket-folder.ts";

export const isRoot = process.getuid?.() === 0;
/** An unprivileged user that exists on every Unix. */
export const daemonUid = 1;

/**
 * Creates a folder that any uid can enter. At the end of the test, servers in it are stopped and it
 * is removed.
 */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp("/tmp/bron-embedded-");
  await chmod(folder, 0o755);
  onTestFinished(async () => {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(
      () => [],
    )) {
      if (entry.name !== "cluster") continue;
      const socketFolder = await findSocketFolder(entry.parentPath);
      await stopServer(dataFolder(entry.parentPath));
      if (socketFolder?.startsWith("/tmp/bron-") === true)
        await rm(socketFolder, { recursive: true, force: true });
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
}

export async function makeHome(name = "home"): Promise<string> {
  return join(await makeFolder(), name);
}

/**
 * Creates a home with a database that the tests of a file share, because creating one takes most of
 * a second.
 */
export async function makeSharedHome(): Promise<SharedHome> {
  const path = await mkdtemp("/tmp/bron-embedded-");
  await chmod(path, 0o711);
  await (await openEmbeddedPostgres({ home: path })).close();
  const data = dataFolder(join(path, "postgres"));
  return {
    path,
    data,
    stop: () => stopServer(data),
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/** Moves the shared database to another home for the duration of a test. */
export async function lend(shared: SharedHome, home: string): Promise<void> {
  const [from, to] = [dirname(shared.data), join(home, "postgres/cluster")];
  await mkdir(dirname(to), { recursive: true, mode: 0o711 });
  await rename(from, to);
  onTestFinished(() => rename(to, from));
}

export interface SharedHome {
  readonly path: string;
  readonly data: string;
  /** Call it after each test, so that no test finds the server of another. */
  stop(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Closed at the end of the test at the latest, so that a failing test does not leave a server
 * running.
 */
export async function openHere(home: string): Promise<EmbeddedPostgres> {
  const server = await openEmbeddedPostgres({ home });
  onTestFinished(() => server.close());
  return server;
}

export async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map(
      (row) => Object.values(row)[0],
    );
  } finally {
    await client.end();
  }
}

interface Opened {
  readonly url?: string;
  readonly adminUrl?: string;
  readonly pid?: number;
  readonly adopted?: boolean;
  readonly code?: string;
  readonly message?: string;
}

interface OtherProcess {
  readonly pid: number;
  /** Resolves when the home is open or failed to open. */
  readonly opened: Promise<Opened>;
  readonly ended: Promise<void>;
  /** Closes and exits. */
  close(): Promise<void>;
  kill(): Promise<void>;
}

/** Opens the home in another process with its own process group. */
export function openElsewhere(
  home: string,
  options: { uid?: number; packageRoot?: string } = {},
): OtherProcess {
  const { uid, packageRoot } = options;
  const script = `
    const { openIn } = await import(${JSON.stringify(new URL("./embedded-postgres.ts", import.meta.url).href)});
    const { thisEnvironment } = await import(${JSON.stringify(new URL("./environment.ts", import.meta.url).href)});
    const [home, root] = process.argv.slice(1);
    const machine = thisEnvironment();
    const found = await machine.findPackage();
    const say = (value) => console.log(JSON.stringify(value));
    try {
      const { url, adminUrl, pid, adopted, close } = await openIn({ ...machine, findPackage: async () => ({ ...found, root: root ?? found.root }) }, { home });
      say({ url, adminUrl, pid, adopted });
      process.stdin.once("data", () => close().then(() => process.exit(0)));
    } catch (error) {
      say({ code: error.code, message: error.message });
    }`;
  const child = spawn(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      script,
      home,
      ...(packageRoot === undefined ? [] : [packageRoot]),
    ],
    {
      ...omitUndefined({ uid, gid: uid }),
      detached: true,
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const opened = new Promise<Opened>((done, fail) => {
    createInterface(child.stdout).once("line", (line) => done(JSON.parse(line) as Opened));
    void ended.then(() => fail(new Error("ended without a word")));
  });
  opened.catch(() => undefined);
  async function end(act: () => void): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) act();
    await ended;
  }
  const kill = () => end(() => child.kill("SIGKILL"));
  onTestFinished(kill);
  return {
    pid: child.pid ?? 0,
    opened,
    ended,
    close: () => end(() => child.stdin.end("close\n")),
    kill,
  };
}
