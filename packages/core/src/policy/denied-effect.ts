import { isMail, type EffectKind } from "../intent/effect-kinds.ts";
import type { RepliedMail } from "../intent/intent.ts";
import type { EffectFacts } from "./effect-facts.ts";
import { normalizeAddress } from "./text/names.ts";

/** An earlier effect of the task, or of a task that it retries, that the owner did not approve. */
export interface DeniedEffect {
  readonly tool: string;
  /** See `Tool`. Absent if the tool is gone. */
  readonly effectKind?: EffectKind | undefined;
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

/** Emails that the owner replied to instead of approving them. A draft is none. */
export function repliedMails(denials: readonly DeniedEffect[]): RepliedMail[] {
  return denials.flatMap(({ cause, effectKind, facts }) =>
    cause === "replied" && effectKind !== undefined && isMail(effectKind)
      ? [
          {
            effect: effectKind,
            people: new Set(facts.recipients.map(({ address }) => normalizeAddress(address))),
          },
        ]
      : [],
  );
}
