import { omitUndefined } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import { pageOfRuns } from "./run-services.ts";
import { Created, requireScope, type ServicesOf } from "./service.ts";

type BronKeys =
  | "GET /api/brons"
  | "POST /api/brons"
  | "GET /api/brons/:id"
  | "PATCH /api/brons/:id"
  | "GET /api/brons/:id/runs"
  | "GET /api/tools"
  | "GET /api/usage";

/** Brons, the tools they can use, and what they cost. */
export function bronServices({
  brons,
  runs,
  tools,
  usage,
}: Pick<Runtime, "brons" | "runs" | "tools" | "usage">): ServicesOf<BronKeys> {
  return {
    "GET /api/brons": async ({ caller: { ownerId }, query }) => ({
      brons: await brons.list(ownerId, omitUndefined(query)),
    }),
    async "POST /api/brons"({ caller, body }) {
      if (body.trustLevel !== undefined) requireScope("approve", caller);
      const created = await brons.create(caller.ownerId, body);
      return new Created(created, `/api/brons/${created.id}`);
    },
    "GET /api/brons/:id": ({ caller: { ownerId }, params }) => brons.get(ownerId, params.id),
    async "PATCH /api/brons/:id"({ caller, params, body }) {
      if (body.trustLevel !== undefined) requireScope("approve", caller);
      return await brons.update(caller.ownerId, params.id, body);
    },
    async "GET /api/brons/:id/runs"({ caller: { ownerId }, params, query }) {
      const { id } = await brons.get(ownerId, params.id);
      return await pageOfRuns({ runs }, ownerId, { ...query, bronId: id });
    },
    "GET /api/tools": () => Promise.resolve({ tools: tools() }),
    "GET /api/usage": ({ caller: { ownerId }, query }) => usage(ownerId, query),
  };
}
