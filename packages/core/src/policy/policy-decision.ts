import type { EffectGroup, PolicyReason, Risk } from "@bron/protocol";

export interface PolicyDecision {
  readonly verdict: "allow" | "ask" | "deny";
  readonly reasons: readonly PolicyReason[];
  /** Values that untrusted text may have chosen, and where they were seen. */
  readonly risks?: readonly Risk[];
  /** Set by the loop, from the facts. */
  readonly kind?: EffectGroup;
  /** The keys of the owner's requests that the effect uses. Set by the loop. */
  readonly asks?: readonly string[];
}
