import { afford, reserveMicrousd } from "../budget/reservation.ts";
import { endRun } from "./end-run.ts";
import { stepCapOf, type Ending } from "./ending.ts";
import type { Move, MoveBuilder } from "./move-builder.ts";
import { recordLostCall } from "./record-model-call.ts";

/** Starts the next model call, unless a limit ends the run or the call must wait. */
export function nextStep(builder: MoveBuilder): Move {
  const { draft, facts, inFlight } = builder;
  const end = (ending: Ending) => endRun(builder, ending);
  if (!inFlight.has("model")) recordLostCall(draft, true);
  // Models require tool results before the next user message.
  for (const message of draft.state().pendingUserMessages)
    draft.emit({ type: "message", payload: { role: "user", ...message } });
  const { retry, step, spentMicrousd, messageBytes, modelFailure } = draft.state();
  if (modelFailure) return end({ outcome: "failed", error: modelFailure });
  if (retry && facts.now < retry.notBefore) {
    builder.waitUntil(retry.notBefore);
    return builder.build();
  }
  const capped = retry ? undefined : stepCapOf(draft.state(), facts.run.caps);
  if (capped) return end(capped);
  const reservedMicrousd = reserveMicrousd(
    facts.requests.fixedBytes() + messageBytes,
    facts.model.maxOutputTokens,
    facts.model.price,
  );
  const budget = {
    caps: facts.run.caps,
    ownerCapMicrousd: facts.run.ownerCapMicrousd,
    drawnMicrousd: facts.drawnMicrousd,
    spentMicrousd,
  };
  const affordable = afford(budget, reservedMicrousd, facts.model.price, facts.model.name);
  if (!affordable.ok) return end({ outcome: "failed", error: affordable });
  if (affordable.draw && facts.budgetRefused)
    return end({
      outcome: "failed",
      error: {
        code: "budget_exhausted",
        why: { code: "owner_budget" },
      },
    });
  builder.draw(affordable.draw);
  draft.running("planning");
  const attemptOfStep = retry ? { step, attempt: retry.attempt } : { step: step + 1, attempt: 1 };
  draft.emit({
    type: "step",
    payload: {
      phase: "start",
      ...attemptOfStep,
      model: facts.model.name,
      reservedMicrousd,
      requestDigest: facts.requests.digest(draft.state(), facts.model.maxOutputTokens),
      activeMs: facts.activeMs,
    },
  });
  builder.start({ kind: "model", ...attemptOfStep });
  return builder.build();
}
