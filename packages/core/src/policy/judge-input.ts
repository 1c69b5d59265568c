import type { RiskReason } from "@bron/protocol";
import type { EffectKind } from "../intent/effect-kinds.ts";
import type { ReadIntent } from "../intent/intent.ts";
import type { DeniedEffect } from "./denied-effect.ts";
import type { EffectFacts } from "./effect-facts.ts";
import type { PolicyRules, RuledCall } from "./permissions/rules.ts";
import type { RunLabels } from "./run-labels.ts";

/** All that the policy knows when it judges an effect. */
export interface JudgeInput {
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  /** See `Tool`. */
  readonly effectKind?: EffectKind | undefined;
  /** What the owner's words ask for. Used only for effects that words can ask for. */
  readonly intent?: ReadIntent;
  readonly facts: EffectFacts;
  readonly labels: RunLabels;
  readonly rules: PolicyRules;
  /** What the owner typed when editing this effect. It is trusted, for this effect only. */
  readonly edited?: string;
  /** Set if the retried run has done, or may have done, such an effect. */
  readonly repeats?: RiskReason;
  /** Pages that the run opens at the same time, and asked for before. */
  readonly openPages?: number;
  /** What the owner did not approve in this task so far. */
  readonly denials?: readonly DeniedEffect[];
}

export function callOf({ tool, facts }: Pick<JudgeInput, "tool" | "facts">): RuledCall {
  return { tool, targets: facts.targets };
}
