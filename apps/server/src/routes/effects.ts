import { settlements } from "@bron/protocol";
import type { Bron } from "bron";
import type { Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { toEffectView } from "../projection.ts";
import { readJson, type BodyLimits } from "../read-json.ts";

export interface EffectRoutesParts {
  readonly bron: Pick<Bron, "effects">;
  readonly ownerId: string;
  readonly limits: BodyLimits;
}

const settleSchema = z.strictObject({ as: z.enum(settlements), note: z.string().max(2_000).optional() });

/** What left, of which nobody knows whether it happened, until the owner says so. */
export function addEffectRoutes(app: Hono<DoorEnv>, { bron, ownerId, limits }: EffectRoutesParts): void {
  app.get("/api/effects", async (c) => c.json({ effects: (await bron.effects.inDoubt(ownerId)).map(toEffectView) }));

  app.get("/api/effects/:id", async (c) => c.json(toEffectView(await bron.effects.get(ownerId, c.req.param("id")))));

  app.post("/api/effects/:id/settle", async (c) => {
    const { as, note } = settleSchema.parse(await readJson(c.env.incoming, limits));
    return c.json(toEffectView(await bron.effects.settle(ownerId, c.req.param("id"), as, note)));
  });
}
