import type { Card } from "@bron/protocol";

/** Whether the summary says no more than that the run is done, which the page's header shows. */
export function isPlainSuccess({ kind, payload }: Card): boolean {
  return (
    kind === "RunSummaryCard" &&
    "did" in payload &&
    payload.outcome === "succeeded" &&
    (payload.runOutcome ?? "done") === "done" &&
    payload.unreadFiles === undefined &&
    payload.did.length + payload.notDone.length + (payload.unfinished?.length ?? 0) === 0
  );
}
