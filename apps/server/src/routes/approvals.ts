import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { readJson, type BodyLimits } from "../read-json.ts";

export interface ApprovalRoutesParts {
  readonly bron: Pick<Bron, "approvals" | "runs">;
  readonly ownerId: string;
  readonly limits: BodyLimits;
}

const listSchema = z.object({ runId: z.uuid().optional(), pending: z.stringbool().optional() });
const digestSchema = z.string().min(1).max(200);
const approveSchema = z.strictObject({ digest: digestSchema });
const denySchema = z.strictObject({ digest: digestSchema, reason: z.string().max(2_000).optional() });

const editSchema = z.strictObject({ digest: digestSchema, changes: z.record(z.string(), z.json()) });
const answerSchema = z.strictObject({ digest: digestSchema, words: z.string() });
const nothingSchema = z.strictObject({});
const seenSchema = z.strictObject({ id: z.string().min(1).max(200), digest: digestSchema });
const mostAtOnce = 100;
const batchSchema = z.strictObject({ approve: z.array(seenSchema).max(mostAtOnce).default([]), deny: z.array(seenSchema.extend({ reason: z.string().max(2_000).optional() })).max(mostAtOnce).default([]) });
const sendSchema = z.strictObject({ approved: z.boolean(), digest: digestSchema.optional(), reason: z.string().max(2_000).optional() });

export function addApprovalRoutes(app: Hono<DoorEnv>, { bron, ownerId, limits }: ApprovalRoutesParts): void {
  app.get("/api/approvals", async (c) => {
    const { runId, pending } = listSchema.parse(c.req.query());
    return c.json({ approvals: await bron.approvals.list(ownerId, { ...(runId === undefined ? {} : { runId }), ...(pending === undefined ? {} : { pendingOnly: pending }) }) });
  });

  app.get("/api/approvals/:id", async (c) => c.json(await bron.approvals.get(ownerId, c.req.param("id"))));

  app.post("/api/approvals/:id/approve", async (c) => {
    const { digest } = approveSchema.parse(await readJson(c.env.incoming, limits));
    return c.json(await bron.approvals.approve(ownerId, c.req.param("id"), digest));
  });

  app.post("/api/approvals/:id/deny", async (c) => {
    const { digest, reason } = denySchema.parse(await readJson(c.env.incoming, limits));
    return c.json(await bron.approvals.deny(ownerId, c.req.param("id"), digest, reason));
  });

  app.post("/api/approvals/:id/edit", async (c) => {
    const { digest, changes } = editSchema.parse(await readJson(c.env.incoming, limits));
    return c.json(await bron.approvals.edit(ownerId, c.req.param("id"), digest, changes));
  });

  app.post("/api/approvals/:id/answer", async (c) => {
    const { digest, words } = answerSchema.parse(await readJson(c.env.incoming, limits));
    return c.json(await bron.approvals.answer(ownerId, c.req.param("id"), digest, words));
  });

  app.post("/api/approvals/:id/undo", async (c) => {
    nothingSchema.parse(await readJson(c.env.incoming, limits));
    return c.json(await bron.approvals.undo(ownerId, c.req.param("id")));
  });

  app.post("/api/approvals/batch", async (c) => {
    const { approve, deny } = batchSchema.parse(await readJson(c.env.incoming, limits));
    const approved = await bron.approvals.approveMany(ownerId, approve);
    return c.json({ approve: approved, deny: await bron.approvals.denyMany(ownerId, deny) });
  });

  app.post("/api/runs/:id/approve-send", async (c) => {
    const decision = sendSchema.parse(await readJson(c.env.incoming, limits));
    const { id } = await bron.runs.get(ownerId, c.req.param("id"));
    return c.json(await bron.approvals.decideOfRun(ownerId, id, decision));
  });
}
