import type { Client } from "@bron/client";
import { isTerminal, type RunView } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExitCode } from "../exit-code.ts";
import type { ReachedRuntime } from "../reach-runtime.ts";
import { shortId } from "../render/short-id.ts";
import { showRun, type ShownRun } from "../show-run.ts";
import { note, type Terminal } from "../terminal.ts";

/** A run and its parent run before an approval was decided. */
export interface Before {
  readonly run: RunView;
  readonly parent: RunView | undefined;
}

export async function readBefore(client: Client, runId: string): Promise<Before> {
  const read = async (id: string) => await client.call("GET /api/runs/:id", { params: { id } });
  const run = await read(runId);
  return { run, parent: run.parentRunId === null ? undefined : await read(run.parentRunId) };
}

/** Shows what a run does after a decision, and then its parent run. */
export async function showRest(
  terminal: Terminal,
  reached: ReachedRuntime,
  { run: { id: runId, lastSeq }, parent }: Before,
  how: Pick<ShownRun, "json" | "verbose" | "asksNext">,
): Promise<ExitCode> {
  const { client } = reached;
  const code = await showRun(terminal, reached, { ...how, runId, afterSeq: lastSeq });
  if (
    !parent ||
    !isTerminal((await client.call("GET /api/runs/:id", { params: { id: runId } })).status)
  )
    return code;
  if (!how.json) note(terminal, `The parent run ${shortId(parent.id)} continues:`);
  await untilParentNotified(client, parent);
  return await showRun(terminal, reached, {
    ...how,
    runId: parent.id,
    afterSeq: parent.lastSeq,
  });
}

const notifyTimeoutMs = 5_000;

/** A parent run is notified, and continues, a moment after its child run has finished. */
async function untilParentNotified(client: Client, parent: RunView): Promise<void> {
  for (const until = Date.now() + notifyTimeoutMs; Date.now() < until; await sleep(50)) {
    const { lastSeq, status } = await client.call("GET /api/runs/:id", {
      params: { id: parent.id },
    });
    if (lastSeq > parent.lastSeq && status !== parent.status) return;
  }
}
