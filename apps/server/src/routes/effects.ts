import type { Bron } from "bron";
import type { On } from "../door.ts";
import { toEffectView } from "../projection.ts";

/** What left, of which nobody knows whether it happened, until the owner says so. */
export function addEffectRoutes(on: On, { bron }: { readonly bron: Pick<Bron, "effects"> }): void {
  on("GET /api/effects", async ({ caller: { ownerId } }) => ({
    effects: (await bron.effects.inDoubt(ownerId)).map(toEffectView),
  }));
  on("GET /api/effects/:id", async ({ caller: { ownerId }, params }) =>
    toEffectView(await bron.effects.get(ownerId, params.id)),
  );
  on("POST /api/effects/:id/settle", async ({ caller: { ownerId }, params, body }) =>
    toEffectView(await bron.effects.settle(ownerId, params.id, body.as, body.note)),
  );
}
