import { allowedSchema, grantSchema, ruleSchema, trustLevelSchema } from "@bron/protocol";
import type { Bron } from "bron";
import type { Context, Hono } from "hono";
import { z } from "zod";
import type { DoorEnv } from "../gate.ts";
import { readJson, type BodyLimits } from "../read-json.ts";

export interface PermissionRoutesParts {
  readonly bron: Pick<Bron, "permissions">;
  readonly ownerId: string;
  readonly limits: BodyLimits;
}

const trustSchema = z.strictObject({ level: trustLevelSchema, bronId: z.uuid().nullable().default(null) });
const idSchema = z.uuid();

/** What the owner lays down about effects. Each change answers with all of it, as it stands then. */
export function addPermissionRoutes(app: Hono<DoorEnv>, { bron: { permissions }, ownerId, limits }: PermissionRoutesParts): void {
  const view = () => permissions.view(ownerId);
  const body = (c: Context<DoorEnv>) => readJson(c.env.incoming, limits);
  const idOf = (c: Context<DoorEnv, "/:id">) => idSchema.parse(c.req.param("id"));

  app.get("/api/permissions", async (c) => c.json(await view()));
  app.post("/api/permissions/trust", async (c) => {
    const { level, bronId } = trustSchema.parse(await body(c));
    await permissions.setTrustLevel(ownerId, bronId, level);
    return c.json(await view());
  });
  app.post("/api/permissions/rules", async (c) => {
    await permissions.putRule(ownerId, ruleSchema.parse(await body(c)));
    return c.json(await view());
  });
  app.post("/api/permissions/allowed", async (c) => {
    await permissions.allow(ownerId, allowedSchema.parse(await body(c)).value);
    return c.json(await view());
  });
  app.post("/api/permissions/grants", async (c) => {
    await permissions.grant(ownerId, grantSchema.parse(await body(c)));
    return c.json(await view());
  });
  for (const [path, remove] of [
    ["rules", permissions.removeRule],
    ["allowed", permissions.disallow],
    ["grants", permissions.revoke],
  ] as const) {
    app.post(`/api/permissions/${path}/:id/remove`, async (c) => {
      await remove(ownerId, idOf(c));
      return c.json(await view());
    });
  }
}
