import { BronError } from "@bron/core";
import type { Runtime } from "../runtime.ts";
import { nextOf, type ServicesOf } from "./service.ts";

type ClientActionKeys =
  | "GET /api/client-actions"
  | "POST /api/runs/:id/actions/:actionId/take"
  | "POST /api/runs/:id/actions/:actionId/finish";

/** Actions that other programs carry out. */
export function clientActionServices({
  clientActions,
}: Pick<Runtime, "clientActions">): ServicesOf<ClientActionKeys> {
  return {
    async "GET /api/client-actions"({ caller: { ownerId }, query: { open, ...query } }) {
      const page = await clientActions.list(ownerId, { ...query, openOnly: open });
      return { actions: page, next: nextOf(page, query.limit) };
    },
    "POST /api/runs/:id/actions/:actionId/take": ({
      caller: { ownerId },
      params: { id, actionId },
      idempotencyKey,
    }) => clientActions.take(ownerId, { runId: id, actionId }, { idempotencyKey }),
    async "POST /api/runs/:id/actions/:actionId/finish"({
      caller: { ownerId },
      params: { id, actionId },
      body: { secret, result, error },
    }) {
      const ref = { runId: id, actionId };
      if (result !== undefined) return await clientActions.finish(ownerId, ref, { secret, result });
      if (error === undefined) throw new BronError("invalid_input", "Give either result or error.");
      return await clientActions.finish(ownerId, ref, { secret, error });
    },
  };
}
