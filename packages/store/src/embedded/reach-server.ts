import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { BronError, messageOf } from "@bron/core";
import { type ServerAccount } from "./account.ts";
import { ensureAppRole } from "./app-role.ts";
import { type PostgresBinaries } from "./binaries.ts";
import { type Cluster } from "./cluster.ts";
import { connect, databaseName } from "./connection.ts";
import { diskFull, errnoOf } from "./failures.ts";
import { clearStaleLocks, findPostmaster, type Postmaster } from "./postmaster.ts";
import { ensureDatabase, joinUsers } from "./server-lock.ts";
import {
  logPath,
  startFailure,
  startServer,
  stopServer,
  type ServerProcess,
} from "./server-process.ts";
import { isOurs, prepareSocketFolder } from "./socket-folder.ts";

export interface ServerSetup {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly binaries: PostgresBinaries;
  readonly account: ServerAccount;
  readonly onProgress: (message: string) => void;
}

/** A running server on which we hold our lock. */
export interface ReachedServer {
  readonly client: pg.Client;
  readonly pid: number;
  readonly socketFolder: string;
  readonly startedHere: boolean;
}

type JoinResult =
  | { readonly kind: "joined"; readonly client: pg.Client; readonly socketFolder: string }
  | { readonly kind: "starting" | "absent" | "silent" };

const silenceMs = 30_000;
/**
 * A server in crash recovery responds with "starting up", so it gets more time than a silent one.
 */
const recoveryMs = 10 * 60_000;
const absenceMs = 2_000;
const maxFailedStarts = 3;

/**
 * Joins the server of this cluster, and starts it if none runs. Any number of processes may do this
 * at the same time, even while another one stops the server. Postgres lets one server win, and the
 * other processes join it.
 */
export async function reachServer(setup: ServerSetup): Promise<ReachedServer> {
  const startedAt = performance.now();
  let respondedAt = startedAt;
  let absentSince: number | undefined;
  let pauseMs = 5;
  const starter = createStarter(setup);
  for (
    let now = startedAt;
    now - respondedAt < silenceMs && now - startedAt < recoveryMs;
    now = performance.now()
  ) {
    const running = await findPostmaster(setup.cluster.data);
    if (running === undefined) {
      absentSince = undefined;
      await starter.start();
    } else {
      const result = await tryJoin(setup, running);
      if (result.kind === "joined") {
        return {
          client: result.client,
          pid: running.pid,
          socketFolder: result.socketFolder,
          startedHere: starter.pid() === running.pid,
        };
      }
      if (result.kind === "starting") respondedAt = now;
      absentSince = result.kind === "absent" ? (absentSince ?? now) : undefined;
      if (absentSince !== undefined && now - absentSince > absenceMs)
        await restartUnreachable(setup, running);
    }
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, 100);
  }
  throw new BronError(
    "postgres_failed",
    `The embedded Postgres was not ready in time. Check its log, ${logPath(setup.folder)}.`,
  );
}

/** Starts the server unless our last one is still starting. Throws if it failed too often. */
function createStarter(setup: ServerSetup): { start(): Promise<void>; pid(): number | undefined } {
  let latest: ServerProcess | undefined;
  let failures = 0;
  return {
    pid: () => latest?.pid,
    async start() {
      if (latest?.hasEnded() === false) return;
      if (latest !== undefined) {
        const log = await latest.readLog();
        if (!isTemporary(log)) failures += 1;
        if (failures >= maxFailedStarts) throw await startFailure(setup.folder, log);
        await sleep(100);
      }
      const { folder, binaries, account } = setup;
      const { data } = setup.cluster;
      const socketFolder = await prepareSocketFolder(folder, account);
      await clearStaleLocks(data, socketFolder);
      latest = await startServer({ folder, data, socketFolder, binaries, account });
    },
  };
}

/** Another process won the start, or the children of a killed server have not all exited yet. */
function isTemporary(log: string): boolean {
  return /lock file ".*" already exists|pre-existing shared memory block/.test(log);
}

async function tryJoin(setup: ServerSetup, running: Postmaster): Promise<JoinResult> {
  const { socketFolder } = running;
  if (socketFolder === undefined) return { kind: "silent" };
  if (!(await isOurs(socketFolder, setup.account))) return { kind: "absent" };
  const outcome = await connect(socketFolder, setup.cluster);
  if (outcome.kind !== "connected") return outcome;
  const { client } = outcome;
  try {
    if (await joinUsers(client)) {
      await ensureDatabase(client, databaseName);
      await ensureAppRole(client, setup.cluster);
      return { kind: "joined", client, socketFolder };
    }
    await client.end();
    return { kind: "starting" };
  } catch (error) {
    await client.end().catch(() => undefined);
    const code = errnoOf(error) ?? "";
    if (code === "53100") throw diskFull(setup.folder, error);
    // Without an SQL state the connection was cut. Class 57 means that the server is being stopped.
    if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith("57") || code === "EPIPE")
      return { kind: "silent" };
    throw new BronError(
      "postgres_failed",
      `The embedded Postgres could not be set up: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * The socket was removed (by a cleaner of /tmp, or because the home was moved), so no process can
 * ever connect to this server again.
 */
async function restartUnreachable(setup: ServerSetup, running: Postmaster): Promise<void> {
  setup.onProgress(
    `Restarting Postgres (pid ${running.pid}): its socket in ${running.socketFolder ?? "?"} is gone`,
  );
  await stopServer(setup.cluster.data);
}
