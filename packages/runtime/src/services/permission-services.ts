import { z } from "zod";
import type { Permissions } from "@bron/core";
import type { PermissionsView } from "@bron/protocol";
import type { ServicesOf } from "./service.ts";

type PermissionKeys =
  | "GET /api/permissions"
  | "POST /api/permissions/trust"
  | "POST /api/permissions/rules"
  | "POST /api/permissions/allowed"
  | "POST /api/permissions/grants"
  | "POST /api/permissions/effects"
  | "POST /api/permissions/rules/:id/remove"
  | "POST /api/permissions/allowed/:id/remove"
  | "POST /api/permissions/grants/:id/remove";

const uuid = z.uuid();

/** The owner's permissions. Every change returns all of them. */
export function permissionServices({
  permissions,
  undoMs,
}: {
  readonly permissions: Permissions;
  readonly undoMs: number;
}): ServicesOf<PermissionKeys> {
  const view = async (ownerId: string): Promise<PermissionsView> => ({
    ...(await permissions.view(ownerId)),
    defaultUndoSeconds: undoMs / 1_000,
  });
  const thenView = async (ownerId: string, change: Promise<unknown>) => {
    await change;
    return await view(ownerId);
  };
  return {
    "GET /api/permissions": ({ caller: { ownerId } }) => view(ownerId),
    "POST /api/permissions/effects": ({ caller: { ownerId }, body }) =>
      thenView(ownerId, permissions.setEffect(ownerId, body)),
    "POST /api/permissions/trust": ({ caller: { ownerId }, body }) =>
      thenView(ownerId, permissions.setTrustLevel(ownerId, body.bronId, body.level)),
    "POST /api/permissions/rules": ({ caller: { ownerId }, body }) =>
      thenView(ownerId, permissions.putRule(ownerId, body)),
    "POST /api/permissions/allowed": ({ caller: { ownerId }, body }) =>
      thenView(ownerId, permissions.allow(ownerId, body.value)),
    "POST /api/permissions/grants": ({ caller: { ownerId }, body }) =>
      thenView(ownerId, permissions.grant(ownerId, body)),
    "POST /api/permissions/rules/:id/remove": async ({ caller: { ownerId }, params }) =>
      await thenView(ownerId, permissions.removeRule(ownerId, uuid.parse(params.id))),
    "POST /api/permissions/allowed/:id/remove": async ({ caller: { ownerId }, params }) =>
      await thenView(ownerId, permissions.disallow(ownerId, uuid.parse(params.id))),
    "POST /api/permissions/grants/:id/remove": async ({ caller: { ownerId }, params }) =>
      await thenView(ownerId, permissions.revoke(ownerId, uuid.parse(params.id))),
  };
}
