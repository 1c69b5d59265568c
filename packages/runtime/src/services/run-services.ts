import { cleanText, type Artifacts, type ListRuns, type Runs, type Workers } from "@bron/core";
import type { EventView, RunEvent } from "@bron/protocol";
import { crossOutAsk } from "./cross-out-ask.ts";
import { findRun } from "./find-run.ts";
import { toPublicAction, toPublicEffect } from "./public-views.ts";
import { readEvents } from "../run-logs.ts";
import { putBack } from "./put-back.ts";
import { Created, nextOf, programOf, type ServicesOf } from "./service.ts";
import { retryRun, sayToRun, startRun, type StartRunDeps } from "./start-run.ts";

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
  | "POST /api/runs/:id/put-back"
  | "POST /api/runs/:id/cross-out"
  | "POST /api/runs/:id/place"
  | "POST /api/runs/:id/retry"
  | "GET /api/places"
  | "POST /api/stop";

export interface RunServicesDeps extends StartRunDeps {
  readonly artifacts: Pick<Artifacts, "list">;
  /** The public view of an event. */
  readonly viewOf: (event: RunEvent) => EventView;
  /** Which workers run, and the places that they serve. */
  readonly workers: Pick<Workers, "places">;
}

export function runServices({
  artifacts,
  workers,
  viewOf,
  ...starting
}: RunServicesDeps): ServicesOf<RunKeys> {
  const { runs } = starting;
  const find = (ownerId: string, id: string) => findRun(runs, ownerId, id);
  return {
    async "POST /api/runs"({ caller, body, idempotencyKey }) {
      const { ownerId, mayRaiseCaps = false } = caller;
      const program = programOf(caller);
      const options = { idempotencyKey, onlyLowerCaps: !mayRaiseCaps, program };
      const { run, created } = await startRun(starting, ownerId, body, options);
      return new Created(run, `/api/runs/${run.id}`, created);
    },
    "GET /api/runs": ({ caller: { ownerId }, query }) => pageOfRuns(runs, ownerId, query),
    "GET /api/runs/:id": ({ caller: { ownerId }, params }) => find(ownerId, params.id),
    async "GET /api/runs/:id/events"({ caller: { ownerId }, params, query }) {
      const { events, lastSeq } = await readEvents(runs, ownerId, params.id, query);
      return { events: events.map(viewOf), lastSeq };
    },
    async "GET /api/runs/:id/actions"({ caller: { ownerId }, params }) {
      const { id } = await find(ownerId, params.id);
      return { actions: (await runs.actions(ownerId, id)).map(toPublicAction) };
    },
    async "GET /api/runs/:id/effects"({ caller: { ownerId }, params }) {
      const { id } = await find(ownerId, params.id);
      return { effects: (await runs.effects(ownerId, id)).map(toPublicEffect) };
    },
    async "GET /api/runs/:id/artifacts"({ caller: { ownerId }, params }) {
      const { id } = await find(ownerId, params.id);
      return { artifacts: await artifacts.list(ownerId, id) };
    },
    async "POST /api/runs/:id/cancel"({ caller: { ownerId }, params: { id }, body }) {
      const requested = await runs.requestCancel(ownerId, id, cleanReason(body.reason));
      return { requested, run: await find(ownerId, id) };
    },
    "POST /api/runs/:id/messages": ({ caller, params, body, idempotencyKey }) =>
      sayToRun(starting, caller.ownerId, params.id, {
        ...body,
        idempotencyKey,
        program: programOf(caller),
      }),
    "POST /api/runs/:id/put-back": ({ caller: { ownerId }, params, body }) =>
      putBack(starting, ownerId, { runId: params.id, digest: body.digest }),
    async "POST /api/runs/:id/retry"({ caller, params, idempotencyKey }) {
      const { run, created } = await retryRun(runs, caller.ownerId, params.id, {
        idempotencyKey,
        program: programOf(caller),
      });
      return new Created(run, `/api/runs/${run.id}`, created);
    },
    "POST /api/runs/:id/cross-out": ({ caller: { ownerId }, params, body }) =>
      crossOutAsk(runs, ownerId, { runId: params.id, key: body.key }),
    "POST /api/runs/:id/place": ({ caller: { ownerId }, params, body }) =>
      runs.move(ownerId, params.id, body.place),
    "GET /api/places": async ({ caller: { ownerId } }) => ({
      places: await workers.places(ownerId),
    }),
    "POST /api/stop": async ({ caller: { ownerId }, body }) => ({
      stopped: await runs.requestCancelAll(ownerId, cleanReason(body.reason)),
    }),
  };
}

/** A page of runs, and the cursor of the next page. */
export async function pageOfRuns(
  runs: Pick<Runs, "list">,
  ownerId: string,
  query: ListRuns & { readonly limit: number },
) {
  const page = await runs.list(ownerId, query);
  return { runs: page, next: nextOf(page, query.limit) };
}

function cleanReason(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : cleanText(reason);
}
