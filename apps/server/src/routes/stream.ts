import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { isTerminal } from "@bron/protocol";
import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { seqSchema } from "../seq.ts";
import type { Streams } from "../stream/streams.ts";

export interface StreamRoutesParts {
  readonly bron: Pick<Bron, "runs">;
  readonly ownerId: string;
  readonly streams: Streams;
}

const cursorSchema = z.object({ afterSeq: seqSchema });

export function addStreamRoutes(app: Hono<DoorEnv>, { bron, ownerId, streams }: StreamRoutesParts): void {
  app.get("/api/runs/:id/stream", async (c) => {
    // A browser that resumes asks for the same address again; then only the header says where it was.
    const { afterSeq } = cursorSchema.parse({ afterSeq: c.req.header("last-event-id") || c.req.query("afterSeq") || 0 });
    const { id, status, lastSeq } = await bron.runs.get(ownerId, c.req.param("id"));
    // An EventSource asks again after every end, until it gets a 204.
    if (isTerminal(status) && lastSeq <= afterSeq) return c.body(null, 204);
    if (c.req.method === "HEAD") return c.body(null, 200, { "content-type": "text/event-stream; charset=utf-8" });
    streams.open({ outgoing: c.env.outgoing, runId: id, afterSeq, lastSeq, sessionId: c.get("sessionId") });
    return RESPONSE_ALREADY_SENT;
  });
}
