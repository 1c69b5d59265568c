import type { EffectFacts } from "./effect-facts.ts";

/** An earlier effect of the task, or of a task that it retries, that the owner did not approve. */
export interface DeniedEffect {
  readonly tool: string;
  readonly facts: EffectFacts;
  /** `replied`: the owner replied instead. `undone`: the owner undid the approval. */
  readonly cause: "denied" | "replied" | "undone";
  /** The owner's reply, or the reason for the denial. May be empty. */
  readonly words: string;
  /** It is exactly the effect that is judged now. */
  readonly isSame: boolean;
  /** The owner has typed more words since. */
  readonly isBeforeNewWords: boolean;
}
