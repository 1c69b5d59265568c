import { BronError, type Runs } from "@bron/core";
import type { RunView } from "@bron/protocol";
import { findRun } from "./find-run.ts";

const pageSize = 1_000;

/** Crosses out a request for the whole task that the run belongs to. */
export async function crossOutAsk(
  runs: Pick<Runs, "get" | "events" | "crossOutAsk">,
  ownerId: string,
  { runId, key }: { readonly runId: string; readonly key: string },
): Promise<RunView> {
  const run = await findRun(runs, ownerId, runId);
  if (!(await hasAsk(runs, ownerId, { runId: run.id, key })))
    throw new BronError("not_found", "This task has no such request.");
  const root = await rootOf(runs, ownerId, run);
  const result = await runs.crossOutAsk(ownerId, root.id, key);
  if (result === "used") throw new BronError("conflict", "Bron has already used this request.");
  if (result === "ended") throw new BronError("conflict", "This task has ended.");
  return await findRun(runs, ownerId, runId);
}

async function rootOf(runs: Pick<Runs, "get">, ownerId: string, run: RunView): Promise<RunView> {
  if (run.parentRunId === null) return run;
  return await rootOf(runs, ownerId, await findRun(runs, ownerId, run.parentRunId));
}

async function hasAsk(
  runs: Pick<Runs, "events">,
  ownerId: string,
  { runId, key }: { readonly runId: string; readonly key: string },
): Promise<boolean> {
  for (let after = 0; ; after += pageSize) {
    const events = await runs.events(ownerId, runId, after, pageSize);
    const isHere = events.some(
      ({ type, payload }) =>
        type === "intent" &&
        payload.state === "read" &&
        payload.asks.some((ask) => ask.key === key),
    );
    if (isHere || events.length < pageSize) return isHere;
  }
}
