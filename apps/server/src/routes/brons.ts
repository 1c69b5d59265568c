import { omitUndefined } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import { requireScope, type On } from "../register-endpoint.ts";
import { pageOf } from "./runs.ts";

export function addBronRoutes(
  on: On,
  { runtime }: { readonly runtime: Pick<Runtime, "brons" | "runs" | "tools" | "usage"> },
): void {
  on("GET /api/brons", async ({ caller: { ownerId }, query }) => ({
    brons: await runtime.brons.list(ownerId, omitUndefined(query)),
  }));
  on("POST /api/brons", async ({ caller, body, c }) => {
    if (body.trustLevel !== undefined) requireScope("approve", caller);
    const made = await runtime.brons.create(caller.ownerId, body);
    return c.json(made, 201, { location: `/api/brons/${made.id}` });
  });
  on("GET /api/brons/:id", ({ caller: { ownerId }, params }) =>
    runtime.brons.get(ownerId, params.id),
  );
  on("PATCH /api/brons/:id", async ({ caller, params, body }) => {
    if (body.trustLevel !== undefined) requireScope("approve", caller);
    return await runtime.brons.update(caller.ownerId, params.id, body);
  });
  on("GET /api/brons/:id/runs", async ({ caller: { ownerId }, params, query }) => {
    const { id } = await runtime.brons.get(ownerId, params.id);
    return await pageOf(runtime, ownerId, { ...query, bronId: id });
  });
  on("GET /api/tools", () => Promise.resolve({ tools: runtime.tools() }));
  on("GET /api/usage", ({ caller: { ownerId }, query }) => runtime.usage(ownerId, query));
}
