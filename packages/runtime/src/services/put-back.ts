import { BronError, type Runs } from "@bron/core";
import type { RunView } from "@bron/protocol";
import { findRun } from "./find-run.ts";
import { splitView } from "./split-view.ts";
import { sayToRun, type StartRunDeps } from "./start-run.ts";

const pageSize = 1_000;

/**
 * Tells a run that a text which it has beside the owner's words is the owner's own. It is said once,
 * however often this is called. Throws not_found if the run has no such text.
 */
export async function putBack(
  deps: Pick<StartRunDeps, "runs" | "caps">,
  ownerId: string,
  { runId, digest }: { readonly runId: string; readonly digest: string },
): Promise<{ readonly run: RunView; readonly isNewTask: boolean }> {
  const { id } = await findRun(deps.runs, ownerId, runId);
  const content = await findText(deps.runs, ownerId, { runId: id, digest });
  if (content === undefined)
    throw new BronError("not_found", "This task has no such text that came with your words.");
  return await sayToRun(deps, ownerId, id, {
    content,
    idempotencyKey: `put-back:${id}:${digest}`,
    asTyped: true,
  });
}

async function findText(
  runs: Pick<Runs, "events">,
  ownerId: string,
  { runId, digest }: { readonly runId: string; readonly digest: string },
): Promise<string | undefined> {
  for (let after = 0; ; after += pageSize) {
    const events = await runs.events(ownerId, runId, after, pageSize);
    const apart = events.flatMap((event) => splitView(event)?.apart ?? []);
    const found = apart.find((text) => text.digest === digest);
    if (found || events.length < pageSize) return found?.text;
  }
}
