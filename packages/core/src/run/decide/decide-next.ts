import type { NewEvent } from "@bron/protocol";
import { isCapped } from "../../budget/reservation.ts";
import { advanceAction } from "../../action/advance-action.ts";
import { resolveAuxiliaryCalls } from "../../auxiliary-call/auxiliary-call.ts";
import { askOutcome } from "./ask-outcome.ts";
import { createDraft } from "./draft.ts";
import { endRun, windDown } from "./end-run.ts";
import { emitMemorySummary } from "./end-upkeep.ts";
import { endingOf } from "./ending.ts";
import type { LoopFacts } from "./loop-facts.ts";
import { createMoveBuilder, type Move, type MoveBuilder } from "./move-builder.ts";
import { nextStep } from "./next-step.ts";
import type { Outcome } from "../outcome.ts";
import { record } from "./record.ts";
import { chargedMicrousd, type RunState } from "../state/run-state.ts";

interface DecideInput {
  readonly state: RunState;
  readonly finished: readonly Outcome[];
  /** Progress lines, cards and artifacts from tools. They are written with the next append. */
  readonly outbox: readonly NewEvent[];
  /** Keys of the work in flight. */
  readonly inFlight: ReadonlySet<string>;
  /** The worker shuts down: record finished work and start nothing. */
  readonly shuttingDown: boolean;
  readonly facts: LoopFacts;
}

/**
 * Makes every decision of the loop. A pure function of the log's state and of the work that has
 * finished since.
 */
export function decideNext(input: DecideInput): Move {
  const { facts, state } = input;
  const draft = createDraft(state, facts.now, facts.ids);
  const isEnding = endingOf(state, endingRules(facts)) !== undefined;
  for (const event of input.outbox) if (!isTooLate(event, draft.state())) draft.emit(event);
  for (const outcome of input.finished) {
    record(draft, outcome, {
      tools: facts.tools.known,
      models: facts.models,
      isCapped: isCapped(facts.run),
      approvalTtlMs: facts.approvalTtlMs,
      random: facts.random,
      isEnding,
      contextTrusted: facts.contextTrusted,
      earlier: facts.earlier,
    });
  }
  if (input.shuttingDown)
    return {
      events: draft.events,
      toStart: [],
      consume: [],
      chargedMicrousd: chargedMicrousd(draft.state()),
      abort: false,
    };
  const builder = createMoveBuilder(draft, facts, input.inFlight);
  const ending = endingOf(draft.state(), endingRules(facts));
  if (ending) return windDown(builder, ending);
  if (draft.state().hasFinalMessage && draft.state().open.size === 0) return complete(builder);
  advanceOpenActions(builder);
  if (draft.state().open.size > 0 || input.inFlight.size > 0) return builder.build();
  return resolveAuxiliaryCalls(builder) ? nextStep(builder) : builder.build();
}

/** Ends the run after its final message, once it is known how the model thinks that it went. */
function complete(builder: MoveBuilder): Move {
  const answer = askOutcome(builder);
  if (answer === "pending") return builder.build();
  if (builder.draft.state().kind === "upkeep")
    emitMemorySummary(builder.draft, builder.facts.upkeep);
  return endRun(builder, { outcome: "completed" }, answer);
}

function advanceOpenActions(builder: MoveBuilder): void {
  const { draft, isBusy } = builder;
  // Looks each action up by id, because handling one may change the draft's state.
  for (const id of draft.state().open.keys()) {
    const action = draft.state().open.get(id);
    if (action && !isBusy(id)) advanceAction(builder, action);
  }
}

/**
 * True for evidence from a reconcile call that outlived its time limit, when the action has already
 * ended.
 */
function isTooLate(event: NewEvent, { open }: RunState): boolean {
  const isOfCall = event.type === "effect" || event.type === "question";
  return isOfCall && !open.has(event.payload.actionId);
}

function endingRules(facts: LoopFacts) {
  return {
    caps: facts.run.caps,
    tools: facts.tools.known,
    activeMs: facts.activeMs,
    giveUpError: facts.giveUpError,
  };
}
