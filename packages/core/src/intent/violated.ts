import { contentValues } from "../policy/text/content-values.ts";
import { textOf, type EffectFacts, type Recipient } from "../policy/effect-facts.ts";
import { linkTails } from "../policy/text/link-tails.ts";
import { normalizeAddress } from "../policy/text/names.ts";
import { siteOf } from "../policy/text/normalize-url.ts";
import { wordsIn } from "../policy/owner-words/words-in.ts";
import { thingKey, type Intent, type ResolvedAsk, type ResolvedProhibition } from "./intent.ts";
import { nameWords } from "./name-words.ts";
import { sizeOf, type Compared } from "./outside-ask.ts";

/** A prohibition that an effect would violate, and with what. */
export interface Violation {
  readonly words: string;
  readonly value: string;
  /** Set if it is in the text of the effect. */
  readonly seenAs?: "host" | "value";
}

/**
 * The prohibitions that an effect would violate. A request in a later text, which covers all of the
 * effect, takes them back if it names what was forbidden. "Everyone" does not name a person.
 */
export function violated(
  facts: EffectFacts,
  { prohibitions }: Intent,
  { ask, outside }: Compared,
): Violation[] {
  const covering = ask && sizeOf(outside) === 0 ? ask : undefined;
  return prohibitions.flatMap((prohibition) => {
    const found = forbiddenIn(facts, prohibition, { ask, covering });
    const isLater = covering !== undefined && prohibition.order < covering.order;
    if (!found || (isLater && isNamedIn(covering, found))) return [];
    return [{ words: prohibition.words, ...found }];
  });
}

function isNamedIn(
  { words, dictated, byReference }: ResolvedAsk,
  { value, seenAs }: Omit<Violation, "words">,
): boolean {
  if (seenAs === undefined) return !byReference.has(normalizeAddress(value));
  const { hosts, values } = contentValues([words, ...dictated].join("\n"));
  return [...hosts, ...values].includes(value);
}

interface Asked {
  /** The ask that the effect fits best. */
  readonly ask: ResolvedAsk | undefined;
  /** The same, if it covers all of the effect. */
  readonly covering: ResolvedAsk | undefined;
}

function forbiddenIn(
  facts: EffectFacts,
  prohibition: ResolvedProhibition,
  asked: Asked,
): Omit<Violation, "words"> | undefined {
  if (prohibition.isGeneral) return { value: "" };
  const value =
    forbiddenRecipient(facts, prohibition, asked) ??
    forbiddenThing(facts, prohibition) ??
    forbiddenPage(facts, prohibition, asked);
  return value === undefined ? forbiddenContent(facts, prohibition) : { value };
}

function forbiddenRecipient(
  { recipients }: EffectFacts,
  { people, names, hasUnknownPeople }: ResolvedProhibition,
  { ask }: Asked,
): string | undefined {
  return recipients.find((one) => {
    const address = normalizeAddress(one.address);
    const isMeant = people.has(address) || names.some((name) => isCalled(one, name));
    return isMeant || (hasUnknownPeople && ask?.byReference.has(address) === true);
  })?.address;
}

/** Whether the name is in the address or in a name that the owner has used for it. */
function isCalled({ address, known }: Recipient, name: string): boolean {
  const words = [address, ...(known?.names ?? [])].flatMap(wordsIn);
  const wanted = nameWords(name);
  return wanted.length > 0 && wanted.every((word) => words.includes(word));
}

function forbiddenThing(
  { things = [], attachments }: EffectFacts,
  { things: forbidden }: ResolvedProhibition,
): string | undefined {
  const file = attachments.find(({ digest }) => forbidden.has(thingKey("file", digest)));
  return file?.filename ?? things.find(({ kind, id }) => forbidden.has(thingKey(kind, id)))?.id;
}

/**
 * A page is forbidden with everything below it, and a site with its subdomains. The very URL that the
 * words ask to open is not.
 */
function forbiddenPage(
  { kind, things = [] }: EffectFacts,
  { things: forbidden, hasUnknownPages }: ResolvedProhibition,
  { covering }: Asked,
): string | undefined {
  if (kind !== "fetch" || covering) return undefined;
  const above = [...forbidden].flatMap((key) =>
    key.startsWith("url ") ? [key.slice("url ".length)] : [],
  );
  return things.find(({ id }) => hasUnknownPages || above.some((url) => isBelow(id, url)))?.id;
}

function isBelow(url: string, above: string): boolean {
  const isSite = siteOf(above) === above;
  const [page, top] = [plainUrl(url), plainUrl(above)];
  return (
    page === top ||
    ["/", "?", ":", ";"].some((next) => page.startsWith(`${top}${next}`)) ||
    (isSite && siteOf(url).endsWith(`.${above}`))
  );
}

const maxDecodings = 3;

/** Servers read different spellings as the same path: `/a`, `//A` and `/%61`. */
function plainUrl(url: string): string {
  let plain = url;
  for (let count = 0; count < maxDecodings; count++)
    plain = plain.replaceAll(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  return plain
    .toLowerCase()
    .replaceAll("\\", "/")
    .replaceAll(/\/(?:\.?\/)+/g, "/");
}

/** Links, addresses and accounts in the text that the mentions contain. */
function forbiddenContent(
  facts: EffectFacts,
  { content }: ResolvedProhibition,
): Omit<Violation, "words"> | undefined {
  const { kind, hosts, values = [] } = facts;
  const isNames = !/[^\p{L}\p{M}\s'’-]/u.test(content);
  if (kind === "fetch" || isNames || hosts.length + values.length === 0) return undefined;
  const forbidden = contentValues(content);
  const value = values.find((one) => forbidden.values.includes(one));
  if (value !== undefined) return { value, seenAs: "value" };
  const host = hosts.find(
    (one) =>
      (forbidden.hosts.includes(one) && isLinked(one, textOf(facts), content)) ||
      forbidden.hosts.some((site) => one.endsWith(`.${site}`) && isOnlySite(site, content)),
  );
  return host === undefined ? undefined : { value: host, seenAs: "host" };
}

/** Whether the words forbid a site with its subdomains, and not one of its pages. */
function isOnlySite(host: string, content: string): boolean {
  return [...linkTails(host, content).decoded].every((tail) => tail === "");
}

/** Whether a link of the text is the forbidden one, or below it. */
function isLinked(host: string, text: string, content: string): boolean {
  const [tails, forbidden] = [text, content].map((one) => [...linkTails(host, one).decoded]);
  return (
    forbidden?.length === 0 ||
    tails?.length === 0 ||
    tails?.some((tail) => forbidden?.some((one) => tail.startsWith(one))) === true
  );
}
