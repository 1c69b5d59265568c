import type { Risk, RiskReason } from "@bron/protocol";
import type { Recipient } from "../effect-facts.ts";
import type { JudgeInput } from "../judge-input.ts";
import { readOwnerWords, type OwnerWords } from "../owner-words/named-by-owner.ts";
import { lookAlike } from "../text/look-alike.ts";
import { domainOf, normalizeAddress } from "../text/names.ts";
import { sourcesOf } from "./risk-sources.ts";

/** A recipient whom the owner's words do not ask to reach. */
export function recipientRisk(recipient: Recipient, input: JudgeInput, words: OwnerWords): Risk {
  const address = normalizeAddress(recipient.address);
  return {
    kind: recipient.role === "guest" ? "guest" : "recipient",
    value: recipient.address,
    why: whyOf(address, recipient.role, [words, ...repliesIn(input)]),
    ...sourcesOf(input.labels, "address", address),
    notes: notesOn(recipient, address, input),
  };
}

/** A reply to an approval asks for nothing, but the owner did type what is in it. */
function repliesIn({ denials = [] }: Pick<JudgeInput, "denials">): readonly OwnerWords[] {
  return denials.flatMap(({ cause, words }) =>
    cause === "replied" ? [readOwnerWords(words)] : [],
  );
}

function whyOf(address: string, role: Recipient["role"], typed: readonly OwnerWords[]): RiskReason {
  const words = typed.some(({ hasAddress }) => hasAddress(address))
    ? address
    : typed.map(({ nameIn }) => nameIn(address)).find((name) => name !== undefined);
  return words === undefined
    ? { code: "recipient_not_mentioned", address, role }
    : { code: "recipient_mentioned", address, role, words };
}

function notesOn(
  { known }: Recipient,
  address: string,
  { facts, rules, effectKind }: Pick<JudgeInput, "facts" | "rules" | "effectKind">,
): Risk["notes"] {
  const domains = [
    domainOf(normalizeAddress(facts.account)),
    ...rules.domains,
    ...[...rules.people].map(domainOf),
  ].filter(Boolean);
  const similar = lookAlike(address, domains);
  // Only what reaches people by mail looks up whom the owner has emailed. A draft does not.
  const isLookedUp = facts.kind !== "channel" && effectKind !== "write_draft";
  return [
    ...(known || !isLookedUp ? [] : [{ code: "never_emailed" } as const]),
    ...(similar === undefined ? [] : [{ code: "lookalike", domain: similar } as const]),
  ];
}
