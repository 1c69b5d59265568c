import { omitUndefined } from "@bron/protocol";
import type { ListRuns } from "@bron/core";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";
import { toActionView, toEffectView, toEventView } from "../projection.ts";

export function addRunRoutes(
  on: On,
  { runtime }: { readonly runtime: Pick<Runtime, "runs" | "useOnce"> },
): void {
  on("POST /api/runs", async ({ caller: { ownerId }, body, idempotencyKey, c }) => {
    const run = await runtime.runs.create(ownerId, body, {
      onlyLowerCaps: true,
      ...omitUndefined({ idempotencyKey }),
    });
    const isNew = idempotencyKey === undefined || (await runtime.useOnce(`run-created:${run.id}`));
    return c.json(run, isNew ? 201 : 200, { location: `/api/runs/${run.id}` });
  });

  on(
    "GET /api/runs",
    async ({ caller: { ownerId }, query }) => await pageOf(runtime, ownerId, query),
  );
  on(
    "GET /api/runs/:id",
    async ({ caller: { ownerId }, params }) => await runtime.runs.get(ownerId, params.id),
  );

  on("GET /api/runs/:id/events", async ({ caller: { ownerId }, params, query }) => {
    const { events, lastSeq } = await runtime.runs.listEvents(ownerId, params.id, query);
    return { events: events.map(toEventView), lastSeq };
  });

  on("GET /api/runs/:id/actions", async ({ caller: { ownerId }, params }) => {
    const { id } = await runtime.runs.get(ownerId, params.id);
    return { actions: (await runtime.runs.actions(ownerId, id)).map(toActionView) };
  });

  on("GET /api/runs/:id/effects", async ({ caller: { ownerId }, params }) => {
    const { id } = await runtime.runs.get(ownerId, params.id);
    return { effects: (await runtime.runs.effects(ownerId, id)).map(toEffectView) };
  });

  on("POST /api/runs/:id/cancel", async ({ caller: { ownerId }, params, body }) => {
    const requested = await runtime.runs.cancel(ownerId, params.id, body.reason);
    return { requested, run: await runtime.runs.get(ownerId, params.id) };
  });

  on("POST /api/runs/:id/retry", async ({ caller: { ownerId }, params, idempotencyKey, c }) => {
    const run = await runtime.runs.retry(
      ownerId,
      params.id,
      idempotencyKey === undefined ? {} : { idempotencyKey },
    );
    return c.json(run, 201, { location: `/api/runs/${run.id}` });
  });

  on("POST /api/stop", async ({ caller: { ownerId }, body }) => ({
    stopped: await runtime.runs.cancelAll(ownerId, body.reason),
  }));
}

/** A parsed query: parameters that the caller left out are undefined. */
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A page of runs, and the cursor of the next page. */
export async function pageOf(
  runtime: Pick<Runtime, "runs">,
  ownerId: string,
  query: Optional<ListRuns> & { readonly limit: number },
) {
  const runs = await runtime.runs.list(ownerId, omitUndefined(query));
  return { runs, next: runs.length === query.limit ? (runs.at(-1)?.id ?? null) : null };
}
