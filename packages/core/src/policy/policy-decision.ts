import type { PolicyReason, Risk } from "@bron/protocol";

export interface PolicyDecision {
  readonly verdict: "allow" | "ask" | "deny";
  readonly reasons: readonly PolicyReason[];
  /** Values that untrusted text may have chosen, and where they were seen. */
  readonly risks?: readonly Risk[];
}
