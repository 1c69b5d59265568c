import type { DeclaredOutcome } from "@bron/protocol";
import { startReconcile } from "../../action/advance-action.ts";
import { closeQuestion } from "../../action/end-action.ts";
import { cancelAction } from "../../action/cancel-action.ts";
import { emitEnd, type Ending, type RunEnding } from "./ending.ts";
import type { Move, MoveBuilder } from "./move-builder.ts";
import { runOutcome } from "./run-outcome.ts";
import { recordLostCall } from "./record-model-call.ts";

/** `declared` is how the model says that the task went. */
export function endRun(builder: MoveBuilder, ending: RunEnding, declared?: DeclaredOutcome): Move {
  const { draft, facts } = builder;
  const tools = facts.tools.known;
  emitEnd(draft, ending, runOutcome({ state: draft.state(), ending, declared, tools }));
  return builder.build({ release: "end" });
}

/**
 * Ends the run as soon as nothing is in flight and every effect has a known outcome. Only reconcile
 * calls are started.
 */
export function windDown(builder: MoveBuilder, ending: Ending): Move {
  const { draft, facts, inFlight, isBusy } = builder;
  for (const action of draft.state().open.values()) {
    if (isBusy(action.id)) {
      // A call that waits for an answer goes on without one.
      closeQuestion(draft, action);
      continue;
    }
    const tool = facts.tools.known.get(action.tool);
    if (action.state === "executing" && action.effect && !action.client && !tool?.client)
      startReconcile(builder, action, action.effect);
    else cancelAction(draft, action, tool);
  }
  if (!inFlight.has("model")) recordLostCall(draft, false);
  if (draft.state().open.size > 0 || inFlight.size > 0) return builder.build({ abort: true });
  return endRun(builder, ending);
}
