import type { EffectFacts, Recipient } from "../policy/effect-facts.ts";
import { normalizeAddress } from "../policy/text/names.ts";
import { isAskedBy, isMail, type EffectKind } from "./effect-kinds.ts";
import { dictatedMatch } from "./dictated-in.ts";
import { thingKey, type Intent, type RepliedMail, type ResolvedAsk } from "./intent.ts";

/** The parts of an effect that an ask does not cover. */
export interface Outside {
  readonly recipients: readonly Recipient[];
  readonly things: readonly NonNullable<EffectFacts["things"]>[number][];
  readonly fields: readonly string[];
  /** Texts that the owner dictated, and that the effect does not contain word for word. */
  readonly dictated: readonly string[];
}

export interface Compared {
  /** The ask that the effect fits best. Undefined if no unused ask is of its kind. */
  readonly ask: ResolvedAsk | undefined;
  readonly outside: Outside;
  /** The same, compared with asks that are gone too. Only to tell the owner what they did not ask for. */
  readonly outsideAll: Outside;
  /** Why there is no ask: the words ask for it, but other effects have used them, or the owner crossed
   * it out. */
  readonly gone?: "used" | "crossed_out";
}

const none: ReadonlySet<string> = new Set();
const noAsk = { people: none, things: none, fields: [], dictated: [] };

/** Compares an effect with what the words ask for, and finds the ask that it fits best. */
export function compareWithAsks(
  facts: EffectFacts,
  { effect, asks, used, crossedOut, replied = [] }: Intent,
  isGranted: (recipient: Recipient) => boolean,
): Compared {
  const fitting = asks.filter((ask) => mayAskFor(ask, effect, facts));
  const compared = fitting
    .map((ask) => {
      // The owner asked for another text than the one they dictated.
      const isReplaced = repliesTo(ask, { effect, facts, replied }) > 0;
      const compared = isReplaced ? { ...ask, dictated: [] } : ask;
      return { ask, outside: outsideOf(facts, compared, isGranted) };
    })
    .toSorted((one, other) => sizeOf(one.outside) - sizeOf(other.outside));
  const best = compared.find(({ ask }) =>
    [ask.key, ...useKeys(ask, { effect, facts, replied })].every((key) => !used.has(key)),
  );
  if (best) return { ...best, outsideAll: best.outside };
  const outside = outsideOf(facts, noAsk, isGranted);
  return {
    ask: undefined,
    outside,
    outsideAll: compared[0]?.outside ?? outside,
    ...(fitting.length === 0 ? {} : { gone: goneOf(fitting, crossedOut) }),
  };
}

/**
 * "Send the draft" asks for the email that the draft is, and not for another text in it. What this
 * run drafted may change on the way.
 */
function mayAskFor(ask: ResolvedAsk, effect: EffectKind, facts: EffectFacts): boolean {
  const isOther = isMail(effect) && ask.isAboutDraft === true && facts.isDraft !== true;
  const replacesDraft =
    isOnTheWay(ask, effect) && facts.things?.some(({ kind }) => kind === "draft") === true;
  return !isOther && !replacesDraft;
}

function goneOf(asks: readonly ResolvedAsk[], crossedOut: ReadonlySet<string>) {
  return asks.some(({ key }) => crossedOut.has(key)) ? "crossed_out" : "used";
}

/**
 * The keys under which an effect uses an ask. "Each" asks for one effect per recipient or thing, and
 * so does a request to open pages. Everything else asks for one effect. A draft on the way to an
 * email does not use up the request to send it. A reply to that email lets one more draft replace it.
 */
export function useKeys(ask: ResolvedAsk, proposed: Proposed): string[] {
  const { effect, facts } = proposed;
  const key = isOnTheWay(ask, effect) ? draftKey(ask, repliesTo(ask, proposed)) : ask.key;
  if (ask.times === "once" && ask.effect !== "open_page") return [key];
  const { recipients, things } = everythingOf(facts);
  const targets = [
    ...recipients.map(({ address }) => normalizeAddress(address)),
    ...things.map(({ kind, id }) => thingKey(kind, id)),
  ];
  if (targets.length === 0) return [key];
  return [...new Set(targets)].toSorted().map((target) => `${key}\n${target}`);
}

interface Proposed {
  readonly effect: EffectKind;
  readonly facts: EffectFacts;
  readonly replied?: Intent["replied"];
}

/** Whether the effect is a draft, and the words ask to send it. */
function isOnTheWay(ask: ResolvedAsk, effect: EffectKind): boolean {
  return effect === "write_draft" && ask.effect !== effect;
}

function draftKey({ key }: ResolvedAsk, replies: number): string {
  return replies === 0 ? `${key}\ndraft` : `${key}\ndraft ${replies + 1}`;
}

/** How often the owner replied to an email that the draft may replace. 0 for all other effects. */
function repliesTo(ask: ResolvedAsk, { effect, facts, replied = [] }: Proposed): number {
  if (!isOnTheWay(ask, effect)) return 0;
  const isReplacedBy = ({ effect: mail, people }: RepliedMail) =>
    isAskedBy(mail, ask.effect) &&
    facts.recipients.some(({ address }) => people.has(normalizeAddress(address)));
  return replied.filter(isReplacedBy).length;
}

function outsideOf(
  facts: EffectFacts,
  ask: Pick<ResolvedAsk, "names" | "people" | "things" | "fields" | "dictated">,
  isGranted: (recipient: Recipient) => boolean,
): Outside {
  const { people, things, fields } = ask;
  const all = everythingOf(facts);
  const isMentioned = ({ kind, id }: Outside["things"][number]) => things.has(thingKey(kind, id));
  const inThings = new Set(
    all.things.filter(isMentioned).flatMap((thing) => (thing.people ?? []).map(normalizeAddress)),
  );
  return {
    recipients: all.recipients.filter((recipient) => {
      const address = normalizeAddress(recipient.address);
      return !people.has(address) && !inThings.has(address) && !isGranted(recipient);
    }),
    things: all.things.filter((thing) => !isMentioned(thing)),
    dictated: dictatedMatch(facts, ask)?.missing ?? [],
    fields: all.fields.filter((field) => !(fields as readonly string[]).includes(field)),
  };
}

function everythingOf({
  recipients,
  things = [],
  fields = [],
}: EffectFacts): Omit<Outside, "dictated"> {
  return { recipients: recipients.filter(({ isPresent }) => isPresent !== true), things, fields };
}

export function sizeOf({ recipients, things, fields, dictated }: Outside): number {
  return recipients.length + things.length + fields.length + dictated.length;
}
