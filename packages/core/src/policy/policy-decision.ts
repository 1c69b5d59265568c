import type { Risk } from "@bron/protocol";

export interface PolicyDecision {
  readonly verdict: "allow" | "ask" | "deny";
  /** Sentences for the owner. */
  readonly reasons: readonly string[];
  /** Values that untrusted text may have chosen, and where they were seen. */
  readonly risks?: readonly Risk[];
}
