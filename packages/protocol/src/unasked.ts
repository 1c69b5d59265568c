import type { EventView } from "./wire.ts";
import type { PolicyReason } from "./policy-reason.ts";

/** These reasons are about effects that reach no one else. */
const reachNoOne: ReadonlySet<string> = new Set(["only_owner_sees", "site_mentioned"]);

/**
 * Why an effect that others see needs no approval. Undefined if the event says anything else about
 * an effect.
 */
export function whyUnasked({
  state,
  prepared,
  reasons = [],
}: Extract<EventView, { type: "effect" }>["payload"]): readonly PolicyReason[] | undefined {
  const reachesOthers =
    reasons.length > 0 &&
    !reasons.some((reason) => typeof reason !== "string" && reachNoOne.has(reason.code));
  return state === "approved" && prepared !== undefined && reachesOthers ? reasons : undefined;
}
