import { isTerminal, type RunView } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";

/** A run can be given back without another event, so that it is also looked at now and then. */
const lookMs = 50;

/**
 * Resolves when the run has ended, or waits for the page or the visitor and no work is under way.
 * Throws the signal's reason if it aborts.
 */
export async function untilWaiting(
  { logs, clientFor }: Pick<Runtime, "logs" | "clientFor">,
  { ownerId, runId }: { readonly ownerId: string; readonly runId: string },
  signal: AbortSignal,
): Promise<RunView> {
  const client = clientFor(ownerId);
  let wake = () => undefined as void;
  const unsubscribe = await logs.subscribe(ownerId, runId, { afterSeq: 0, onEvents: () => wake() });
  try {
    for (;;) {
      signal.throwIfAborted();
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const run = await client.call("GET /api/runs/:id", { params: { id: runId } });
      if (isTerminal(run.status) || (run.waitsFor !== null && !run.runnable)) return run;
      await Promise.race([changed, sleep(lookMs)]);
    }
  } finally {
    unsubscribe();
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
