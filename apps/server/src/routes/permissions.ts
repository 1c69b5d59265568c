import type { Runtime } from "@bron/runtime";
import { z } from "zod";
import type { On } from "../register-endpoint.ts";

const uuid = z.uuid();

/** The owner's permissions. Every change returns all of them. */
export function addPermissionRoutes(
  on: On,
  { runtime: { permissions } }: { readonly runtime: Pick<Runtime, "permissions"> },
): void {
  on("GET /api/permissions", ({ caller: { ownerId } }) => permissions.view(ownerId));
  on("POST /api/permissions/trust", async ({ caller: { ownerId }, body }) => {
    await permissions.setTrustLevel(ownerId, body.bronId, body.level);
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/rules", async ({ caller: { ownerId }, body }) => {
    await permissions.putRule(ownerId, body);
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/allowed", async ({ caller: { ownerId }, body }) => {
    await permissions.allow(ownerId, body.value);
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/grants", async ({ caller: { ownerId }, body }) => {
    await permissions.grant(ownerId, body);
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/rules/:id/remove", async ({ caller: { ownerId }, params }) => {
    await permissions.removeRule(ownerId, uuid.parse(params.id));
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/allowed/:id/remove", async ({ caller: { ownerId }, params }) => {
    await permissions.disallow(ownerId, uuid.parse(params.id));
    return await permissions.view(ownerId);
  });
  on("POST /api/permissions/grants/:id/remove", async ({ caller: { ownerId }, params }) => {
    await permissions.revoke(ownerId, uuid.parse(params.id));
    return await permissions.view(ownerId);
  });
}
