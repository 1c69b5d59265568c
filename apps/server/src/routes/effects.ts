import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";
import { toEffectView } from "../projection.ts";

/** Effects with an unknown outcome, and the owner's statement about them. */
export function addEffectRoutes(
  on: On,
  { runtime }: { readonly runtime: Pick<Runtime, "effects"> },
): void {
  on("GET /api/effects", async ({ caller: { ownerId } }) => ({
    effects: (await runtime.effects.listUnknown(ownerId)).map(toEffectView),
  }));
  on("GET /api/effects/:id", async ({ caller: { ownerId }, params }) =>
    toEffectView(await runtime.effects.get(ownerId, params.id)),
  );
  on("POST /api/effects/:id/settle", async ({ caller: { ownerId }, params, body }) =>
    toEffectView(await runtime.effects.settle(ownerId, params.id, body.as, body.note)),
  );
}
