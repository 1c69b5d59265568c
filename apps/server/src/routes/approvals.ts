import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { readJson, type BodyLimits } from "../read-json.ts";

export interface ApprovalRoutesParts {
  readonly bron: Pick<Bron, "approvals">;
  readonly ownerId: string;
  readonly limits: BodyLimits;
}

const listSchema = z.object({ runId: z.uuid().optional(), pending: z.stringbool().optional() });
const digestSchema = z.string().min(1).max(200);
const approveSchema = z.strictObject({ digest: digestSchema });
const denySchema = z.strictObject({ digest: digestSchema, reason: z.string().max(2_000).optional() });

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
}
