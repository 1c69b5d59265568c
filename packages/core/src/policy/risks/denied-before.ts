import { noIntent } from "../../intent/intent.ts";
import type { PolicyReason, Risk } from "@bron/protocol";
import { compareWithAsks } from "../../intent/outside-ask.ts";
import { thingKey } from "../../intent/intent.ts";
import { everythingRead } from "./risk-sources.ts";
import { contentRisks } from "./content-risks.ts";
import { repliedMails, type DeniedEffect } from "../denied-effect.ts";
import { targetsOf, type EffectFacts } from "../effect-facts.ts";
import { factsForWords, isNamedOtherwise, notInWords } from "./intent-risks.ts";
import type { JudgeInput } from "../judge-input.ts";
import type { OwnerWords } from "../owner-words/named-by-owner.ts";
import { normalizeAddress } from "../text/names.ts";

/**
 * Why an effect must not be tried again. Targets that the owner denied stay denied, unless their
 * words ask for them. The very same effect stays denied until the owner types more words.
 */
export function deniedReason(input: JudgeInput, words: OwnerWords): PolicyReason | undefined {
  const denials = (input.denials ?? []).filter(({ cause }) => cause === "denied");
  if (denials.length === 0) return undefined;
  const outside = outsideAsks(input, words);
  for (const denied of denials) {
    const target = shared(everyTarget(denied.facts), outside);
    if (target !== undefined) return { code: "denied_before", target, words: denied.words };
    if (denied.isSame && !denied.isBeforeNewWords)
      return { code: "denied_before", target: input.tool, words: denied.words };
  }
  return undefined;
}

/**
 * The owner is asked again about an effect of a kind and target that they did not approve before. A
 * reply may be a refusal, so it never counts as a request.
 */
export function denialRisks(input: JudgeInput): Risk[] {
  const { tool, facts, labels, denials = [] } = input;
  return denials.flatMap((denied): Risk[] => {
    if (denied.facts.kind !== facts.kind || isNextDraft(input, denied)) return [];
    const before = reached(denied.facts);
    const target = before.size === 0 ? sameTool(tool, denied) : shared(before, reached(facts));
    if (target === undefined) return [];
    return [
      {
        kind: "warning",
        value: target,
        why: whyOf(denied, target),
        // What was read may have made the model try again.
        ...everythingRead(labels),
        notes: [],
      },
    ];
  });
}

/** A draft does not attempt the email that got a reply. The next attempt to send it asks. */
function isNextDraft({ seenBy, effectKind }: JudgeInput, denied: DeniedEffect): boolean {
  return seenBy === "owner" && effectKind === "write_draft" && repliedMails([denied]).length > 0;
}

function whyOf({ cause, words }: DeniedEffect, target: string): Exclude<Risk["why"], string> {
  if (cause === "replied") return { code: "replied_before", words };
  if (cause === "undone") return { code: "undone_before" };
  return { code: "denied_before", target, words };
}

function sameTool(tool: string, denied: DeniedEffect): string | undefined {
  return denied.tool === tool ? tool : undefined;
}

/** Targets by key, with the text that the owner sees. */
type Targets = ReadonlyMap<string, string>;

function shared(before: Targets, now: Targets): string | undefined {
  for (const [key, text] of now) if (before.has(key)) return text;
  return undefined;
}

/** Whom and what an effect reaches: people, things, and the hosts of pages that it opens. */
function reached(facts: EffectFacts): Targets {
  const { kind, recipients, things = [], hosts } = facts;
  return new Map([
    ...recipients.map(recipientEntry),
    ...things.filter((thing) => thing.kind !== "url").map(thingEntry),
    ...(kind === "fetch" ? hosts.map(hostEntry) : []),
    ...targetsOf(facts, "server").map(
      ({ server, tool }) => [`server ${server} ${tool}`, `${server}: ${tool}`] as const,
    ),
  ]);
}

/** What the owner denied: whom the effect reaches, and the links, values and files in it. */
function everyTarget(facts: EffectFacts): Targets {
  const { hosts, values = [], attachments } = facts;
  return new Map([
    ...reached(facts),
    ...hosts.map(hostEntry),
    ...values.map(valueEntry),
    ...attachments.map(({ filename }) => fileEntry(filename)),
  ]);
}

/** What of the effect the owner's words do not ask for. */
function outsideAsks(input: JudgeInput, words: OwnerWords): Targets {
  const { intent = "unread", effectKind } = input;
  const facts = factsForWords(input);
  if (effectKind === undefined || facts.kind === "server")
    return new Map([
      ...notInWords(facts.recipients, words).map(recipientEntry),
      ...(facts.things ?? []).map(thingEntry),
      ...facts.hosts.filter((host) => !words.hasHost(host)).map(hostEntry),
    ]);
  const asks = intent === "unread" ? noIntent(effectKind) : intent;
  if (facts.kind === "fetch") {
    const { ask, outside } = compareWithAsks(
      facts,
      { ...asks, used: asks.crossedOut },
      () => false,
    );
    const isInside = ask !== undefined && outside.things.length === 0;
    return new Map(isInside ? [] : facts.hosts.map(hostEntry));
  }
  const { outside } = compareWithAsks(facts, asks, isNamedOtherwise(input));
  return new Map([
    ...outside.recipients.map(recipientEntry),
    ...outside.things.map(thingEntry),
    ...contentRisks(input, words).flatMap(({ kind, value }) => contentEntry(kind, value)),
  ]);
}

type Entry = readonly [key: string, text: string];

function recipientEntry({ address }: EffectFacts["recipients"][number]): Entry {
  return [`address ${normalizeAddress(address)}`, address];
}

function thingEntry({ kind, id, title }: NonNullable<EffectFacts["things"]>[number]): Entry {
  return [thingKey(kind, id), title || id];
}

function hostEntry(host: string): Entry {
  return [`host ${host}`, host];
}

function valueEntry(value: string): Entry {
  return [`value ${value}`, value];
}

function fileEntry(filename: string): Entry {
  return [`filename ${filename}`, filename];
}

function contentEntry(kind: Risk["kind"], value: string): Entry[] {
  if (kind === "host") return [hostEntry(value)];
  if (kind === "value") return [valueEntry(value)];
  return kind === "attachment" ? [fileEntry(value)] : [];
}
