import type { ProposedEffect } from "./policy.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { canonicalJson } from "./canonical-json.ts";

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * The digest that an approval is bound to: the final form, its run and action, and why the owner
 * was asked.
 */
export async function effectDigest(
  effect: ProposedEffect,
  decision: Pick<PolicyDecision, "verdict" | "reasons">,
): Promise<string> {
  return await sha256(
    new TextEncoder().encode(
      canonicalJson({ ...effect, verdict: decision.verdict, reasons: decision.reasons }),
    ),
  );
}
