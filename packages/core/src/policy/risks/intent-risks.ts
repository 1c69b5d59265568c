import type { Risk, RiskReason } from "@bron/protocol";
import { isAllDictated } from "../../intent/dictated-in.ts";
import { compareWithAsks, useKeys } from "../../intent/outside-ask.ts";
import { violated } from "../../intent/violated.ts";
import type { ResolvedAsk } from "../../intent/intent.ts";
import type { EffectFacts, Recipient } from "../effect-facts.ts";
import { callOf, type JudgeInput } from "../judge-input.ts";
import { readOwnerWords, type OwnerWords } from "../owner-words/named-by-owner.ts";
import { normalizeAddress } from "../text/names.ts";
import { recipientRisk } from "./recipient-risk.ts";
import { everythingRead, hasPrivateText, sourcesOf } from "./risk-sources.ts";
import { grantFor } from "../permissions/rules.ts";
import type { RunLabels } from "../run-labels.ts";

const goneCodes = {
  never: "not_asked_for",
  used: "asked_for_once",
  crossed_out: "crossed_out",
} as const;

/** Compares the effect with what the owner's words ask for and forbid. */
export function intentRisks(input: JudgeInput, words: OwnerWords): Risk[] {
  const { tool, labels, intent = "unread" } = input;
  const facts = factsForWords(input);
  const sources = everythingRead(labels);
  const risk = (why: RiskReason): Risk => ({
    kind: "tool",
    value: tool,
    why,
    ...sources,
    notes: [],
  });
  if (intent === "unread")
    return [
      risk({ code: "words_not_read" }),
      ...notInWords(facts.recipients, words).map((recipient) =>
        recipientRisk(recipient, input, words),
      ),
    ];
  const compared = compareWithAsks(facts, intent, isNamedOtherwise(input));
  const { ask, outsideAll: outside, gone } = compared;
  return [
    ...(ask ? [] : [risk({ code: goneCodes[gone ?? "never"] })]),
    ...violated(facts, intent, compared).map((prohibition): Risk => ({
      kind: "warning",
      value: prohibition.value || tool,
      why: { code: "forbidden_by_words", words: prohibition.words },
      ...(prohibition.seenAs === undefined
        ? sources
        : sourcesOf(labels, prohibition.seenAs, prohibition.value)),
      notes: [],
    })),
    ...outside.recipients.map((recipient) => recipientRisk(recipient, input, words)),
    ...outside.dictated.map((text): Risk => ({
      kind: "warning",
      value: shortText(text),
      why: { code: "not_dictated", words: shortText(text) },
      ...sources,
      notes: [],
    })),
    ...(ask && !isAllDictated(facts, ask) ? unreadRisks(facts, ask, labels) : []),
    ...outside.things.map(({ kind, id, title }): Risk => ({
      kind: kind === "channel" ? "channel" : "thing",
      value: title || id,
      why: { code: "thing_not_mentioned", title: title || id },
      ...sources,
      notes: [],
    })),
    ...outside.fields.map((field): Risk => ({
      kind: "field",
      value: field,
      why: { code: "field_not_mentioned", field },
      ...sources,
      notes: [],
    })),
  ];
}

const maxShownCharacters = 200;

function shortText(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}

const textFields: ReadonlySet<string> = new Set(["title", "location", "description"]);

/**
 * Guests who are on the list already are recipients of a new text once private text is in view,
 * because the new text may repeat it.
 */
export function factsForWords({ facts, labels }: JudgeInput): EffectFacts {
  const isTold =
    facts.fields?.some((field) => textFields.has(field)) === true && hasPrivateText(labels);
  if (!isTold) return facts;
  const recipients = facts.recipients.map(({ isPresent: _, ...recipient }) => recipient);
  return { ...facts, recipients };
}

/** A grant replaces the check of its recipient. So does an address that the owner typed here. */
export function isNamedOtherwise(input: JudgeInput): (one: Recipient) => boolean {
  const { labels, edited } = input;
  const isPrivate = hasPrivateText(labels);
  const rules = {
    ...input.rules,
    grants: input.rules.grants.filter((grant) => grant.includesPrivate || !isPrivate),
  };
  const call = callOf(input);
  const typed = edited === undefined ? undefined : readOwnerWords(edited);
  return ({ address: text }) => {
    const address = normalizeAddress(text);
    return grantFor(rules, call, address) !== undefined || typed?.hasAddress(address) === true;
  };
}

export function notInWords(recipients: readonly Recipient[], words: OwnerWords): Recipient[] {
  return recipients.filter(({ address }) => !words.hasAddress(normalizeAddress(address)));
}

/** People whom the words only refer to must have read what is private in the run. */
function unreadRisks(
  { recipients }: EffectFacts,
  { byReference }: ResolvedAsk,
  labels: RunLabels,
): Risk[] {
  return recipients.flatMap((recipient): Risk[] => {
    const address = normalizeAddress(recipient.address);
    if (!byReference.has(address)) return [];
    const unread = labels.untrusted.filter(
      (source) => source.private && !source.readers.includes(address),
    );
    if (unread.length === 0) return [];
    return [
      {
        kind: "readers",
        value: recipient.address,
        why: { code: "reader_not_mentioned", address },
        ...everythingRead({ untrusted: unread }),
        notes: [],
      },
    ];
  });
}

/**
 * The keys of the ask that covers all of an effect, so that no other effect may use it. See
 * `useKeys`. None if no ask covers it.
 */
export function asksUsedBy(input: JudgeInput): readonly string[] {
  const { intent, effectKind } = input;
  const facts = factsForWords(input);
  if (facts.kind === "fetch" && !hasPrivateText(input.labels)) return [];
  if (intent === undefined || intent === "unread" || effectKind === undefined) return [];
  const { ask, outside } = compareWithAsks(facts, intent, isNamedOtherwise(input));
  const isInside = Object.values(outside).every((list) => list.length === 0);
  return ask && isInside
    ? useKeys(ask, { effect: effectKind, facts, replied: intent.replied })
    : [];
}
