import { omitUndefined } from "@bron/protocol";
import type { Bron } from "bron";
import { refuseWithout, type On } from "../door.ts";
import { pageOf } from "./runs.ts";

export function addBronRoutes(
  on: On,
  { bron }: { readonly bron: Pick<Bron, "brons" | "runs" | "tools" | "usage"> },
): void {
  on("GET /api/brons", async ({ caller: { ownerId }, query }) => ({
    brons: await bron.brons.list(ownerId, omitUndefined(query)),
  }));
  on("POST /api/brons", async ({ caller, body, c }) => {
    if (body.trustLevel !== undefined) refuseWithout("approve", caller);
    const made = await bron.brons.create(caller.ownerId, body);
    return c.json(made, 201, { location: `/api/brons/${made.id}` });
  });
  on("GET /api/brons/:id", ({ caller: { ownerId }, params }) => bron.brons.get(ownerId, params.id));
  on("PATCH /api/brons/:id", async ({ caller, params, body }) => {
    if (body.trustLevel !== undefined) refuseWithout("approve", caller);
    return await bron.brons.update(caller.ownerId, params.id, body);
  });
  on("GET /api/brons/:id/runs", async ({ caller: { ownerId }, params, query }) => {
    const { id } = await bron.brons.get(ownerId, params.id);
    return await pageOf(bron, ownerId, { ...query, bronId: id });
  });
  on("GET /api/tools", () => Promise.resolve({ tools: bron.tools() }));
  on("GET /api/usage", ({ caller: { ownerId }, query }) => bron.usage(ownerId, query));
}
