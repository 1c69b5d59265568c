import type { RunEvent, RunView } from "@bron/protocol";
import type { Bron } from "bron";
import { ownerId } from "./owner.ts";

export interface Follow {
  readonly runId: string;
  readonly afterSeq: number;
  /** An action that was just decided: its run still counts as parked until a worker has taken up the decision. */
  readonly decidedActionId?: string;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** Until the run is over or waits for a person. Undefined when the signal came first. */
export async function followRun(bron: Bron, follow: Follow): Promise<RunView | undefined> {
  const { runId, signal, decidedActionId, onEvent } = follow;
  let cursor = follow.afterSeq;
  const see = (event: RunEvent) => {
    cursor = event.seq;
    onEvent(event);
  };
  if (decidedActionId !== undefined) {
    for await (const event of bron.runs.events(ownerId, runId, { afterSeq: cursor, signal })) {
      see(event);
      if (event.type === "tool" && event.payload.phase === "end" && event.payload.actionId === decidedActionId) break;
    }
  }
  for await (const event of bron.runs.events(ownerId, runId, { afterSeq: cursor, signal, untilParked: true })) see(event);
  return signal.aborted ? undefined : await bron.runs.get(ownerId, runId);
}
