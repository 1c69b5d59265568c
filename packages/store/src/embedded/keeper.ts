import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@bron/core";
import { readCluster } from "./cluster.ts";
import { reachServer, type ReachedServer, type ServerSetup } from "./reach-server.ts";
import { leaveUsers } from "./server-lock.ts";
import { stopServer } from "./server-process.ts";
import { discardSocketFolder } from "./socket-folder.ts";

/**
 * Represents this process as a user of the server. Restarts the server when it crashes, and stops
 * it when the last user leaves.
 */
interface Keeper {
  pid(): number;
  /** Idempotent. */
  leave(): Promise<void>;
}

const maxPauseMs = 5_000;

export function createKeeper(setup: ServerSetup, first: ReachedServer): Keeper {
  const closing = new AbortController();
  let server = first;
  let isJoined = false;
  let recovering = Promise.resolve();
  let leaving: Promise<void> | undefined;

  function useServer(reached: ReachedServer): void {
    server = reached;
    isJoined = true;
    reached.client.once("end", () => {
      isJoined = false;
      if (!closing.signal.aborted) recovering = recover();
    });
  }

  async function recover(): Promise<void> {
    for (let pauseMs = 100; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
      try {
        if ((await readCluster(setup.folder)) === undefined)
          return setup.onProgress(
            `The database in ${setup.folder} was removed, so it is not restarted`,
          );
        const reached = await reachServer(setup);
        if (reached.socketFolder !== first.socketFolder)
          setup.onProgress(`Postgres moved to ${reached.socketFolder}. Restart Bron to use it`);
        return useServer(reached);
      } catch (error) {
        setup.onProgress(`Postgres is down, trying again: ${messageOf(error)}`);
        await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  async function leave(): Promise<void> {
    closing.abort();
    await recovering;
    if (!isJoined) return;
    // If the connection breaks here, its lock is gone too. The next process that opens the home
    // finds or starts a server.
    const isLast = await leaveUsers(server.client).catch(() => false);
    if (isLast) {
      await stopServer(setup.cluster.data);
      await discardSocketFolder(setup.folder, server.socketFolder);
    }
    await server.client.end().catch(() => undefined);
  }

  useServer(first);
  return { pid: () => server.pid, leave: () => (leaving ??= leave()) };
}
