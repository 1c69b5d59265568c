import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface Deed {
  readonly runId: string;
  readonly tool: string;
  readonly key: string;
  readonly at: number;
}

/** What the tools of the crash tests change, in a process that nobody kills. Its own record is what tests judge by. */
export interface OutsideWorld {
  readonly url: string;
  readonly deeds: readonly Deed[];
  deedsOf(runId: string, tool: string): Deed[];
  /** All that was asked of it, also through a handle that no longer worked. */
  requestsOf(runId: string, tool: string): Deed[];
  /** The answer to each deed is held back so long; the deed itself happens at once. */
  answerDelayMs: number;
  close(): Promise<void>;
}

export async function openOutsideWorld(): Promise<OutsideWorld> {
  const deeds: Deed[] = [];
  const requests: Deed[] = [];
  /** Handles that no longer work, as a draft that was deleted. */
  const burned = new Set<string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://world");
    const runId = url.searchParams.get("run") ?? "";
    const tool = url.searchParams.get("tool") ?? "";
    const key = url.searchParams.get("key") ?? "";
    request.resume();
    const answer = (status: number, body: unknown, delayMs = 0) => {
      setTimeout(
        () =>
          response
            .writeHead(status, { "content-type": "application/json", connection: "close" })
            .end(JSON.stringify(body)),
        delayMs,
      );
    };
    if (url.pathname === "/do") {
      const deed = { runId, tool, key, at: Date.now() };
      requests.push(deed);
      if (burned.has(key)) return answer(410, { error: "gone" });
      deeds.push(deed);
      return answer(
        200,
        { count: deeds.filter((deed) => deed.runId === runId && deed.tool === tool).length },
        world.answerDelayMs,
      );
    }
    if (url.pathname === "/burn") {
      burned.add(key);
      return answer(200, { done: deeds.some((deed) => deed.key === key) });
    }
    answer(404, { error: "unknown path" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const world: OutsideWorld = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deeds,
    answerDelayMs: 0,
    deedsOf: (runId, tool) => deeds.filter((deed) => deed.runId === runId && deed.tool === tool),
    requestsOf: (runId, tool) =>
      requests.filter((request) => request.runId === runId && request.tool === tool),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return world;
}
