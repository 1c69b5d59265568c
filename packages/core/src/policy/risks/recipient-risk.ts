import type { Risk } from "@bron/protocol";
import type { Recipient } from "../effect-facts.ts";
import type { JudgeInput } from "../judge-input.ts";
import { lookAlike } from "../text/look-alike.ts";
import { domainOf, normalizeAddress } from "../text/names.ts";
import { sourcesOf } from "./risk-sources.ts";

/** A recipient whom the owner's words do not mention. */
export function recipientRisk(recipient: Recipient, input: JudgeInput): Risk {
  const address = normalizeAddress(recipient.address);
  return {
    kind: recipient.role === "guest" ? "guest" : "recipient",
    value: recipient.address,
    why: { code: "recipient_not_mentioned", address, role: recipient.role },
    ...sourcesOf(input.labels, "address", address),
    notes: notesOn(recipient, address, input),
  };
}

function notesOn(
  { known }: Recipient,
  address: string,
  { facts, rules }: Pick<JudgeInput, "facts" | "rules">,
): Risk["notes"] {
  const domains = [
    domainOf(normalizeAddress(facts.account)),
    ...rules.domains,
    ...[...rules.people].map(domainOf),
  ].filter(Boolean);
  const similar = lookAlike(address, domains);
  // Only mail and events look up whom the owner has emailed.
  const isLookedUp = facts.kind !== "channel";
  return [
    ...(known || !isLookedUp ? [] : [{ code: "never_emailed" } as const]),
    ...(similar === undefined ? [] : [{ code: "lookalike", domain: similar } as const]),
  ];
}
