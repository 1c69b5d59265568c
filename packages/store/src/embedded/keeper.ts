import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@bron/core";
import { readCluster } from "./cluster.ts";
import { reachServer, type ReachedServer, type ServerSetup } from "./reach-server.ts";
import { leaveUsers } from "./server-lock.ts";
import { stopServer } from "./server-process.ts";
import { discardSocketFolder } from "./socket-folder.ts";

/** Holds one process's share in the server: brings the server back when it dies, and stops it if it was the last user. */
export interface Keeper {
  pid(): number;
  /** Idempotent. */
  leave(): Promise<void>;
}

const longestPauseMs = 5_000;

export function createKeeper(setup: ServerSetup, first: ReachedServer): Keeper {
  const leaving = new AbortController();
  let server = first;
  let isJoined = false;
  let healing = Promise.resolve();
  let left: Promise<void> | undefined;

  function hold(reached: ReachedServer): void {
    server = reached;
    isJoined = true;
    reached.client.once("end", () => {
      isJoined = false;
      if (!leaving.signal.aborted) healing = heal();
    });
  }

  async function heal(): Promise<void> {
    for (
      let pauseMs = 100;
      !leaving.signal.aborted;
      pauseMs = Math.min(pauseMs * 2, longestPauseMs)
    ) {
      try {
        if ((await readCluster(setup.folder)) === undefined)
          return setup.onProgress(
            `The database in ${setup.folder} was removed, so it is not restarted`,
          );
        const reached = await reachServer(setup);
        if (reached.socketFolder !== first.socketFolder)
          setup.onProgress(`Postgres moved to ${reached.socketFolder}. Restart Bron to use it`);
        return hold(reached);
      } catch (error) {
        setup.onProgress(`Postgres is down, trying again: ${messageOf(error)}`);
        await sleep(pauseMs, undefined, { signal: leaving.signal }).catch(() => undefined);
      }
    }
  }

  async function leave(): Promise<void> {
    leaving.abort();
    await healing;
    if (!isJoined) return;
    // A connection that breaks here took the lock with it; whoever opens next finds or starts a server.
    const isLast = await leaveUsers(server.client).catch(() => false);
    if (isLast) {
      await stopServer(setup.cluster.data);
      await discardSocketFolder(setup.folder, server.socketFolder);
    }
    await server.client.end().catch(() => undefined);
  }

  hold(first);
  return { pid: () => server.pid, leave: () => (left ??= leave()) };
}
