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

/** A running server with our lock on it. */
export interface ReachedServer {
  readonly client: pg.Client;
  readonly pid: number;
  readonly socketFolder: string;
  readonly startedHere: boolean;
}

type Visit =
  | { readonly kind: "joined"; readonly client: pg.Client; readonly socketFolder: string }
  | { readonly kind: "starting" | "absent" | "silent" };

const silenceMs = 30_000;
/** Recovery after a crash answers "starting up" all along; it gets longer than silence does. */
const recoveryMs = 10 * 60_000;
const absenceMs = 2_000;
const maxFailedStarts = 3;

/**
 * Joins the server of this cluster, starting it when none runs. Any number of processes may do this at once, also while
 * another one is stopping it: Postgres lets one server win, the losers join it.
 */
export async function reachServer(setup: ServerSetup): Promise<ReachedServer> {
  const began = performance.now();
  let heardAt = began;
  let absentSince: number | undefined;
  let pauseMs = 5;
  const starter = createStarter(setup);
  for (
    let now = began;
    now - heardAt < silenceMs && now - began < recoveryMs;
    now = performance.now()
  ) {
    const running = await findPostmaster(setup.cluster.data);
    if (running === undefined) {
      absentSince = undefined;
      await starter.start();
    } else {
      const visit = await visitServer(setup, running);
      if (visit.kind === "joined") {
        return {
          client: visit.client,
          pid: running.pid,
          socketFolder: visit.socketFolder,
          startedHere: starter.pid() === running.pid,
        };
      }
      if (visit.kind === "starting") heardAt = now;
      absentSince = visit.kind === "absent" ? (absentSince ?? now) : undefined;
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

/** Starts the server unless our last one is still on its way; throws when it failed too often. */
function createStarter(setup: ServerSetup): { start(): Promise<void>; pid(): number | undefined } {
  let latest: ServerProcess | undefined;
  let failures = 0;
  return {
    pid: () => latest?.pid,
    async start() {
      if (latest?.hasEnded() === false) return;
      if (latest !== undefined) {
        const log = await latest.readLog();
        if (!isPassing(log)) failures += 1;
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

/** Another start won, or the children of a killed server are not all gone yet. */
function isPassing(log: string): boolean {
  return /lock file ".*" already exists|pre-existing shared memory block/.test(log);
}

async function visitServer(setup: ServerSetup, running: Postmaster): Promise<Visit> {
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
    // Without an SQL state the connection was cut; class 57 is a server that is being stopped.
    if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith("57") || code === "EPIPE")
      return { kind: "silent" };
    throw new BronError(
      "postgres_failed",
      `The embedded Postgres could not be set up: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Its socket was removed under it (by a cleaner of /tmp, or home was moved): nobody can ever connect to it again. */
async function restartUnreachable(setup: ServerSetup, running: Postmaster): Promise<void> {
  setup.onProgress(
    `Restarting Postgres (pid ${running.pid}): its socket in ${running.socketFolder ?? "?"} is gone`,
  );
  await stopServer(setup.cluster.data);
}
