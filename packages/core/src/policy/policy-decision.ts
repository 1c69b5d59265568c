import type { Risk } from "@bron/protocol";

export interface PolicyDecision {
  readonly verdict: "allow" | "ask" | "deny";
  /** Sentences for a person. */
  readonly reasons: readonly string[];
  /** What untrusted text may have chosen, with where it was seen. */
  readonly risks?: readonly Risk[];
}
