import type { EffectGroup, PolicyReason, Risk } from "@bron/protocol";
import type { Rewrite } from "./offer-rewrite.ts";

export interface PolicyDecision {
  readonly verdict: "allow" | "ask" | "deny";
  readonly reasons: readonly PolicyReason[];
  /** Values that untrusted text may have chosen, and where they were seen. */
  readonly risks?: readonly Risk[];
  /** Set if the owner is asked only about what the model can leave out of the text. */
  readonly rewrite?: Rewrite;
  /** Set by the loop, from the facts. */
  readonly kind?: EffectGroup;
  /** The keys of the owner's requests that the effect uses. Set by the loop. */
  readonly asks?: readonly string[];
  /** With `allow`: how long the owner can undo the effect before it starts. Set by the loop. */
  readonly undoMs?: number;
}
