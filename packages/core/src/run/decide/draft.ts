import type { NewEvent } from "@bron/protocol";
import { webStatusOf } from "@bron/protocol";
import type { Ids } from "../../ports/clock.ts";
import { fold } from "../state/fold.ts";
import type { RunState } from "../state/run-state.ts";

/**
 * Collects the events of one append, and the state that the run will have once they are in the log.
 */
export interface Draft {
  readonly events: NewEvent[];
  readonly ids: Ids;
  /** The database's clock, epoch milliseconds. */
  readonly now: number;
  state(): RunState;
  emit(event: NewEvent): void;
  /** Emits a status event if the run does not count as running yet. */
  running(status: "planning" | "executing"): void;
}

export function createDraft(from: RunState, now: number, ids: Ids): Draft {
  let state = from;
  const events: NewEvent[] = [];
  const emit = (event: NewEvent) => {
    events.push(event);
    state = fold(state, event, now);
  };
  return {
    events,
    ids,
    now,
    emit,
    state: () => state,
    running(status) {
      if (webStatusOf[state.status] !== "running") emit({ type: "status", payload: { status } });
    },
  };
}
