import type { ListRuns } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import { toPublicAction, toPublicEffect, toEventView } from "./public-views.ts";
import { Created, nextOf, type ServicesOf } from "./service.ts";

type RunKeys =
  | "POST /api/runs"
  | "GET /api/runs"
  | "GET /api/runs/:id"
  | "GET /api/runs/:id/events"
  | "GET /api/runs/:id/actions"
  | "GET /api/runs/:id/effects"
  | "GET /api/runs/:id/artifacts"
  | "POST /api/runs/:id/cancel"
  | "POST /api/runs/:id/messages"
  | "POST /api/runs/:id/place"
  | "POST /api/runs/:id/retry"
  | "GET /api/places"
  | "POST /api/stop"
  | "GET /api/effects"
  | "GET /api/effects/:id"
  | "POST /api/effects/:id/settle";

/** Runs, and the effects whose outcome their owner has to look up. */
export function runServices({
  runs,
  effects,
  artifacts,
  workers,
}: Pick<Runtime, "runs" | "effects" | "artifacts" | "workers">): ServicesOf<RunKeys> {
  return {
    async "POST /api/runs"({ caller: { ownerId, mayRaiseCaps = false }, body, idempotencyKey }) {
      const { run, created } = await runs.create(ownerId, body, {
        onlyLowerCaps: !mayRaiseCaps,
        ...omitUndefined({ idempotencyKey }),
      });
      return new Created(run, `/api/runs/${run.id}`, created);
    },
    "GET /api/runs": ({ caller: { ownerId }, query }) => pageOfRuns({ runs }, ownerId, query),
    "GET /api/runs/:id": ({ caller: { ownerId }, params }) => runs.get(ownerId, params.id),
    async "GET /api/runs/:id/events"({ caller: { ownerId }, params, query }) {
      const { events, lastSeq } = await runs.listEvents(ownerId, params.id, query);
      return { events: events.map(toEventView), lastSeq };
    },
    async "GET /api/runs/:id/actions"({ caller: { ownerId }, params }) {
      const { id } = await runs.get(ownerId, params.id);
      return { actions: (await runs.actions(ownerId, id)).map(toPublicAction) };
    },
    async "GET /api/runs/:id/effects"({ caller: { ownerId }, params }) {
      const { id } = await runs.get(ownerId, params.id);
      return { effects: (await runs.effects(ownerId, id)).map(toPublicEffect) };
    },
    async "GET /api/runs/:id/artifacts"({ caller: { ownerId }, params }) {
      const { id } = await runs.get(ownerId, params.id);
      return { artifacts: await artifacts.list(ownerId, id) };
    },
    async "POST /api/runs/:id/cancel"({ caller: { ownerId }, params, body }) {
      const requested = await runs.cancel(ownerId, params.id, body.reason);
      return { requested, run: await runs.get(ownerId, params.id) };
    },
    "POST /api/runs/:id/messages": ({ caller: { ownerId }, params, body, idempotencyKey }) =>
      runs.say(ownerId, params.id, body.content, omitUndefined({ idempotencyKey })),
    async "POST /api/runs/:id/retry"({ caller: { ownerId }, params, idempotencyKey }) {
      const options = omitUndefined({ idempotencyKey });
      const { run, created } = await runs.retry(ownerId, params.id, options);
      return new Created(run, `/api/runs/${run.id}`, created);
    },
    "POST /api/runs/:id/place": ({ caller: { ownerId }, params, body }) =>
      runs.move(ownerId, params.id, body.place),
    "GET /api/places": async ({ caller: { ownerId } }) => ({
      places: await workers.places(ownerId),
    }),
    "POST /api/stop": async ({ caller: { ownerId }, body }) => ({
      stopped: await runs.cancelAll(ownerId, body.reason),
    }),
    "GET /api/effects": async ({ caller: { ownerId } }) => ({
      effects: (await effects.listUnknown(ownerId)).map(toPublicEffect),
    }),
    "GET /api/effects/:id": async ({ caller: { ownerId }, params }) =>
      toPublicEffect(await effects.get(ownerId, params.id)),
    "POST /api/effects/:id/settle": async ({ caller: { ownerId }, params, body }) =>
      toPublicEffect(await effects.settle(ownerId, params.id, body.as, body.note)),
  };
}

/** A page of runs, and the cursor of the next page. */
export async function pageOfRuns(
  { runs }: Pick<Runtime, "runs">,
  ownerId: string,
  query: ListRuns & { readonly limit: number },
) {
  const page = await runs.list(ownerId, query);
  return { runs: page, next: nextOf(page, query.limit) };
}
