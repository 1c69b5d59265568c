import type { JsonValue } from "@bron/protocol";
import type { JudgeInput } from "./judge-input.ts";
import type { PolicyDecision } from "./policy-decision.ts";

export interface ProposedEffect {
  readonly runId: string;
  readonly ownerId: string;
  readonly actionId: string;
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  readonly prepared: JsonValue;
}

/**
 * What the policy judges an effect by: whom and what it reaches, what the run has read, and the
 * owner's rules.
 */
export type PolicyView = Omit<JudgeInput, "tool" | "seenBy">;

/** A pure function. No model output can change it. */
export type Policy = (effect: ProposedEffect, view: PolicyView) => PolicyDecision;
