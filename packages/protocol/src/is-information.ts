import type { RiskReason } from "./risk-reason.ts";
import type { Risk } from "./trust.ts";

const whatOwnerDid: ReadonlySet<string> = new Set([
  "asked_for_once",
  "crossed_out",
  "not_dictated",
] satisfies RiskReason["code"][]);

/**
 * Whether a risk only tells what the owner did, and is nothing to be alarmed about: a reply, or a
 * request that was used while nothing of others was in view that could have led to the effect.
 */
export function isInformation({ why, from, notes }: Pick<Risk, "why" | "from" | "notes">): boolean {
  if (typeof why === "string" || notes.length > 0) return false;
  return why.code === "replied_before" || (whatOwnerDid.has(why.code) && from.length === 0);
}
