import { createRunSchema, runStates } from "@bron/protocol";
import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { toActionView, toEffectView, toEventView } from "../projection.ts";
import { readJson, type BodyLimits } from "../read-json.ts";
import { seqSchema } from "../seq.ts";

export interface RunRoutesParts {
  readonly bron: Pick<Bron, "runs" | "useOnce">;
  readonly ownerId: string;
  readonly limits: BodyLimits;
}

const idempotencyKeySchema = z.string().regex(/^[\x21-\x7e]{1,255}$/, "Idempotency-Key: 1 to 255 printable characters without spaces").optional();
const listSchema = z.object({ status: z.enum(runStates).optional(), limit: z.coerce.number().int().min(1).max(200).default(50), before: z.uuid().optional() });
const pollSchema = z.object({ afterSeq: seqSchema.default(0), limit: z.coerce.number().int().min(1).max(1_000).default(500) });
const cancelSchema = z.strictObject({ reason: z.string().max(2_000).optional() });

const nothingSchema = z.strictObject({});

export function addRunRoutes(app: Hono<DoorEnv>, { bron, ownerId, limits }: RunRoutesParts): void {
  app.post("/api/runs", async (c) => {
    const idempotencyKey = idempotencyKeySchema.parse(c.req.header("idempotency-key"));
    const input = createRunSchema.parse(await readJson(c.env.incoming, limits));
    const run = await bron.runs.create(ownerId, input, idempotencyKey === undefined ? {} : { idempotencyKey });
    const isNew = idempotencyKey === undefined || (await bron.useOnce(`run-created:${run.id}`));
    return c.json(run, isNew ? 201 : 200, { location: `/api/runs/${run.id}` });
  });

  app.get("/api/runs", async (c) => {
    const { status, limit, before } = listSchema.parse(c.req.query());
    const runs = await bron.runs.list(ownerId, { limit, ...(status ? { status } : {}), ...(before === undefined ? {} : { before }) });
    return c.json({ runs, next: runs.length === limit ? (runs.at(-1)?.id ?? null) : null });
  });

  app.get("/api/runs/:id", async (c) => c.json(await bron.runs.get(ownerId, c.req.param("id"))));

  app.get("/api/runs/:id/events", async (c) => {
    const { afterSeq, limit } = pollSchema.parse(c.req.query());
    const { events, lastSeq } = await bron.runs.page(ownerId, c.req.param("id"), { afterSeq, limit });
    return c.json({ events: events.map(toEventView), lastSeq });
  });

  app.get("/api/runs/:id/actions", async (c) => {
    const { id } = await bron.runs.get(ownerId, c.req.param("id"));
    return c.json({ actions: (await bron.runs.actions(ownerId, id)).map(toActionView) });
  });

  app.get("/api/runs/:id/effects", async (c) => {
    const { id } = await bron.runs.get(ownerId, c.req.param("id"));
    return c.json({ effects: (await bron.runs.effects(ownerId, id)).map(toEffectView) });
  });

  app.post("/api/runs/:id/cancel", async (c) => {
    const { reason } = cancelSchema.parse(await readJson(c.env.incoming, limits));
    const runId = c.req.param("id");
    const requested = await bron.runs.cancel(ownerId, runId, reason);
    return c.json({ requested, run: await bron.runs.get(ownerId, runId) });
  });

  app.post("/api/runs/:id/retry", async (c) => {
    nothingSchema.parse(await readJson(c.env.incoming, limits));
    const idempotencyKey = idempotencyKeySchema.parse(c.req.header("idempotency-key"));
    const run = await bron.runs.retry(ownerId, c.req.param("id"), idempotencyKey === undefined ? {} : { idempotencyKey });
    return c.json(run, 201, { location: `/api/runs/${run.id}` });
  });

  app.post("/api/stop", async (c) => {
    const { reason } = cancelSchema.parse(await readJson(c.env.incoming, limits));
    return c.json({ stopped: await bron.runs.cancelAll(ownerId, reason) });
  });
}
