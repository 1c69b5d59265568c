import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { isTerminal, seqSchema } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";
import type { Streams } from "../stream/streams.ts";

interface StreamRoutesDeps {
  readonly runtime: Pick<Runtime, "clientFor">;
  readonly streams: Streams;
}

const headers = { "content-type": "text/event-stream; charset=utf-8" };

export function addStreamRoutes(on: On, { runtime, streams }: StreamRoutesDeps): void {
  on("GET /api/runs/:id/stream", async ({ caller, params, query, c }) => {
    // A browser resumes with the same URL. Only the header says where it was.
    const resumed = c.req.header("last-event-id");
    const afterSeq = resumed ? seqSchema.parse(resumed) : query.afterSeq;
    const { id, status, lastSeq } = await runtime
      .clientFor(caller)
      .call("GET /api/runs/:id", { params });
    // An EventSource reconnects after every end, until it gets a 204.
    if (isTerminal(status) && lastSeq <= afterSeq) return c.body(null, 204);
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    await streams.openRun({ outgoing: c.env.outgoing, caller, runId: id, afterSeq, lastSeq });
    return RESPONSE_ALREADY_SENT;
  });

  on("GET /api/stream", async ({ caller, c }) => {
    if (c.req.method === "HEAD") return c.body(null, 200, headers);
    await streams.openOwner({ outgoing: c.env.outgoing, caller });
    return RESPONSE_ALREADY_SENT;
  });
}
