import type { Clock, McpPins } from "@bron/core";
import { notDone } from "./call-failure.ts";
import type { Cache } from "./cache.ts";
import { definitionsDigest } from "./definition.ts";
import type { OpenInput } from "./open-connection.ts";
import { createRunningServer, type RunningServer } from "./running-server.ts";
import type { UsableServer } from "./server-catalog.ts";
import type { ServerSignIn } from "./sign-in.ts";

/** The servers that this process has started or reached. */
export interface ServerPool {
  /** The one for this entry. One of the same name with another entry ends. */
  runningOf(server: UsableServer): RunningServer;
  get(name: string): RunningServer | undefined;
  drop(name: string): Promise<void>;
  close(): Promise<void>;
}

interface PoolDeps extends Pick<OpenInput, "version" | "fetch"> {
  readonly ownerId: string;
  readonly home: string;
  readonly pins: McpPins;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly signIn: Pick<ServerSignIn, "authorization">;
}

export function createServerPool(deps: PoolDeps): ServerPool {
  const started = new Map<string, { readonly key: string; readonly running: RunningServer }>();
  let isClosed = false;
  return {
    runningOf(server) {
      if (isClosed) throw notDone("Bron is shutting down.");
      const key = JSON.stringify(server.expanded);
      const before = started.get(server.name);
      if (before?.key === key) return before.running;
      void before?.running.drop();
      const running = startable(deps, server);
      started.set(server.name, { key, running });
      return running;
    },
    get: (name) => started.get(name)?.running,
    async drop(name) {
      const before = started.get(name);
      started.delete(name);
      await before?.running.drop();
    },
    async close() {
      isClosed = true;
      await Promise.all([...started.values()].map(({ running }) => running.drop()));
    },
  };
}

function startable(
  { ownerId, home, pins, cache, clock, signIn, version, fetch }: PoolDeps,
  { name, expanded: entry, source, folder }: UsableServer,
): RunningServer {
  return createRunningServer({
    clock,
    async open(hooks) {
      const { openConnection } = await import("./open-connection.ts");
      return await openConnection({
        entry,
        version,
        cwd: folder ?? home,
        fetch,
        authorization: async () =>
          entry.kind === "http" ? await signIn.authorization(ownerId, { name, entry }) : undefined,
        ...hooks,
      });
    },
    async onListed({ definitions, notes }) {
      const offeredDigest = await definitionsDigest(definitions);
      const pin = await pins.get(ownerId, name);
      if (pin?.source === source && pin.offeredDigest === offeredDigest) return;
      await pins.offer(ownerId, {
        server: name,
        source,
        offered: definitions,
        offeredDigest,
        notes,
      });
      cache.forget("pins");
    },
  });
}
