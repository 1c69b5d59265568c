import type { RunEvent, RunView } from "@bron/protocol";
import type { Bron } from "bron";
import { ownerId } from "./owner.ts";

export interface Follow {
  readonly runId: string;
  readonly afterSeq: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
}

/** Until the run is over or waits for a person. Undefined when the signal came first. */
export async function followRun(bron: Bron, follow: Follow): Promise<RunView | undefined> {
  const { runId, afterSeq, signal, onEvent } = follow;
  for await (const event of bron.runs.events(ownerId, runId, { afterSeq, signal, untilParked: true })) onEvent(event);
  return signal.aborted ? undefined : await bron.runs.get(ownerId, runId);
}
