import { isObject, type JsonObject } from "../wire.ts";
import { greeting, laterDelivery, onlyHeld, refusal } from "../recipes/word-lists.ts";
import { splitClauses } from "./clauses.ts";
import { isCommand, isModifier, isStatement } from "./dictation.ts";
import { hasCondition, leftOver, timeIn } from "./left-over.ts";
import { unreadParts } from "../recipes/unread-parts.ts";
import { matchesPhrase, wordsOf } from "./phrase.ts";
import { isQuotation, takeOutQuotes, type Quoted } from "./quotes.ts";
import { callsOf, openQuestion, type Recipe } from "./recipe.ts";
import { isPresent, type SlotContext, type SlotReader } from "./slot.ts";
import { createText } from "./text.ts";
import { correctTypos } from "../words/typos.ts";

/** What a recipe reads in words. */
interface Understood {
  readonly recipe: Recipe;
  readonly slots: JsonObject;
  readonly words: string;
  /** Parts of the words that it did not understand. */
  readonly left: readonly string[];
  /** Why the change that it asks for must not be made as it is. */
  readonly blocked?: Blocked | undefined;
  /** The texts that it dictates, if nothing shows where they end. */
  readonly open: string;
  /** The words, with blanks in place of those that a slot took. */
  readonly rest: string;
}

/**
 * Words that nobody read and that may say how, when or whether something is done. `text`: they may
 * belong to a dictated text. `later`: it would have to wait. `part`: anything else.
 */
interface Blocked {
  readonly kind: "text" | "later" | "part";
  readonly part: string;
}

/** One request of a message, or words that match no recipe. */
export type Request =
  | Understood
  | {
      readonly recipe?: undefined;
      readonly words: string;
      readonly blocked?: Blocked | undefined;
    };

/** Longer tasks would keep the server busy. The limit counts characters outside quotations. */
const maxTaskLength = 2_000;
const maxClauses = 80;
const maxLaterLength = 120;

/** Reads the requests of a message in order. A greeting or a question about the model has none. */
export function understand(
  task: string,
  recipes: readonly Recipe[],
  context: SlotContext,
): readonly Request[] {
  const { text, restore } = readable(task.trim());
  const clauses = splitClauses(text);
  if (text.length > maxTaskLength || clauses.length > maxClauses)
    return [{ words: `${task.trim().slice(0, 60)}…` }];
  const match = (words: string, isEntire = false) =>
    matchRecipe(words, isEntire, { recipes, context, restore });
  if (greeting.test(text)) return [];
  const entire = match(text, true);
  if (entire !== undefined) return [entire];
  const requests: Request[] = [];
  /** The words of the request at the end of the list. */
  let words = "";
  for (const { separator, words: clause } of clauses) {
    if (greeting.test(clause) || wordsOf(clause).length === 0) continue;
    const last = requests.at(-1);
    if (last && last.recipe === undefined && onlyHeld.test(clause)) continue;
    const own = match(clause);
    const longer = words + separator + clause;
    const isQuestionAfter = own === undefined && separator.includes("?");
    const later = isQuestionAfter
      ? understandLater(restore(clause), last, context)?.requests[0]
      : undefined;
    const joined = joinClause(last, { own, later, joined: match(longer), clause, separator });
    if (joined === undefined) requests.push(own ?? later ?? { words: restore(clause.trim()) });
    else requests.splice(-1, 1, joined === "unknown" ? { words: restore(longer.trim()) } : joined);
    words = joined === undefined ? clause : longer;
  }
  // What nobody read is said before anything is changed, never only afterwards.
  const unread = requests.find(({ recipe }) => recipe === undefined)?.words;
  const checked = requests.map((request, at) =>
    withoutDoubt(request, requests[at - 1], requests[at + 1], unread),
  );
  const parts = checked.map(({ blocked }) => blocked?.part);
  return checked.filter(
    ({ recipe, blocked, words }) => recipe || blocked || !parts.includes(words),
  );
}

/** A change is not made if words that nobody read may say that it is another one. */
function withoutDoubt(
  request: Request,
  before?: Request,
  after?: Request,
  anywhere?: string,
): Request {
  if (request.recipe === undefined || !asksForEffect(request)) return request;
  const { words, left, open, recipe } = request;
  const unread = (one?: Request) => (one?.recipe === undefined ? one?.words : undefined);
  const next = unread(after);
  const condition = [unread(before), next].find((one) => one !== undefined && hasCondition(one));
  const more = next !== undefined && (open !== "" || isModifier(next)) ? next : undefined;
  const part = condition ?? left[0] ?? more ?? anywhere;
  const isTail = part === more || words.lastIndexOf(part ?? "") > words.indexOf(open);
  const kind: Blocked["kind"] = open !== "" && part !== condition && isTail ? "text" : "part";
  const asks = openQuestion(recipe, request.slots) !== undefined;
  const doubt = part === undefined || asks ? undefined : { kind, part };
  const blocked = request.blocked ?? doubt;
  return blocked === undefined ? request : { words, blocked };
}

function asksForEffect({ recipe, slots }: Pick<Understood, "recipe" | "slots">): boolean {
  return callsOf(recipe, slots).some(({ isEffect }) => isEffect);
}

/** The words without quotations and typos. What was typed is restored in what is taken from them. */
function readable(words: string): Quoted {
  const quoted = takeOutQuotes(words);
  const { text, typed } = correctTypos(quoted.text);
  return { text, restore: (piece) => quoted.restore(typed(piece)) };
}

interface NextClause {
  /** What the clause means without the request before it. */
  readonly own: Understood | undefined;
  /** What it means as a question after the request before it. */
  readonly later: Understood | undefined;
  /** What the request before it means together with the clause. */
  readonly joined: Understood | undefined;
  readonly clause: string;
  readonly separator: string;
}

/** The request before a clause with the clause, or undefined if the clause is a request of its own. */
function joinClause(
  last: Request | undefined,
  { own, later, joined, clause, separator }: NextClause,
): Request | "unknown" | undefined {
  const isSentence = /[.?!;\n]/.test(separator);
  if (last === undefined) return undefined;
  const goesOn =
    last.recipe !== undefined &&
    joined?.recipe === last.recipe &&
    joined.open.length > last.open.length;
  if (goesOn && (own === undefined || isStatement(clause))) return joined;
  if (separator.includes("\n")) return undefined;
  if (last.recipe === undefined) {
    if (isSentence) return undefined;
    if (own === undefined) return joined ?? "unknown";
    return joined !== undefined && slotsOf(own) !== slotsOf(joined) ? joined : undefined;
  }
  if (joined?.recipe !== last.recipe) return undefined;
  const words = wordsOf(clause);
  if (joined.recipe.continues?.some((phrase) => matchesPhrase(words, phrase))) return joined;
  if (own !== undefined || later !== undefined) return undefined;
  if (isCommand(joined.rest.slice(-clause.length))) return undefined;
  if (slotsOf(last) !== slotsOf(joined)) return joined;
  const isMore = /^\s*(?:(?:the|a|an|my|our|in|on|at|for|from|with|about)\b|#|\d|\p{Lu})/u.test(
    clause,
  );
  const isQuestion = /\b(?:who|whom|whose|when|where|why|how|what|which)\b/i.test(clause);
  const isRead = joined.left.length <= last.left.length;
  return isMore && isRead && !isSentence && !isQuestion ? joined : undefined;
}

/** The slot `words` holds what no other slot took, so it does not show that a clause is understood. */
function slotsOf({ slots: { words: _, ...slots } }: Understood): string {
  return JSON.stringify(slots);
}

interface MatchDeps {
  readonly recipes: readonly Recipe[];
  readonly context: SlotContext;
  readonly restore: (text: string) => string;
}

function matchRecipe(
  text: string,
  isEntire: boolean,
  { recipes, context, restore }: MatchDeps,
): Understood | undefined {
  const words = wordsOf(text);
  const matches = (phrase: string) => matchesPhrase(words, phrase);
  for (const recipe of recipes) {
    if ((recipe.isEntireMessage === true) !== isEntire) continue;
    if (!recipe.phrases.some(matches) || recipe.unless?.some(matches) === true) continue;
    const { slots, rest, open } = fillSlots(recipe.slots, text, context, restore);
    const hasAll = (recipe.needs ?? []).every((names) =>
      names.split("|").some((name) => isPresent(slots[name])),
    );
    if (!hasAll) continue;
    const phrases = [...recipe.phrases, ...(recipe.continues ?? []), recipe.fillers ?? ""];
    const left = leftOver(rest, phrases).map(restore);
    const delivery = laterDelivery.exec(text)?.groups?.["time"];
    const time = timeIn(rest) ?? delivery;
    const blocked = hasCondition(rest)
      ? { kind: "part" as const, part: left.find(hasCondition) ?? rest.replace(/\s+/g, " ").trim() }
      : time === undefined
        ? undefined
        : {
            kind: "days" in recipe.slots && !delivery ? ("part" as const) : ("later" as const),
            part: time,
          };
    return { recipe, slots, words: restore(text.trim()), left, open, rest, blocked };
  }
  return undefined;
}

type Readers = Readonly<Record<string, SlotReader<unknown> | undefined>>;

function fillSlots(
  readers: Readers,
  words: string,
  context: SlotContext,
  restore: (text: string) => string,
): { readonly slots: JsonObject; readonly rest: string; readonly open: string } {
  const text = createText(words);
  let open = "";
  const slots = Object.fromEntries(
    Object.entries(readers).map(([name, read]) => {
      const value = read?.(text, context);
      if (read?.isDictation && typeof value === "string" && !isQuotation(value)) open += value;
      return [name, restoreQuotes(value, restore)];
    }),
  );
  return { slots, rest: text.rest(), open };
}

function restoreQuotes(value: unknown, restore: (text: string) => string): unknown {
  if (typeof value === "string") return restore(value);
  if (Array.isArray(value)) return value.map((item) => restoreQuotes(item, restore));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, restoreQuotes(inner, restore)]),
  );
}

/** Reads what changes something. Values are left out if there are none. */
export function readChanges(
  readers: Readers,
  words: string,
  context: SlotContext,
  passedOver?: string,
): { readonly slots: JsonObject; readonly left: readonly string[] } {
  const { text, restore } = readable(words.slice(0, maxTaskLength));
  const { slots, rest } = fillSlots(readers, text, context, restore);
  const given = Object.entries(slots).filter(([, value]) => isPresent(value));
  const left = passedOver === undefined ? leftOver(rest, []) : unreadParts(rest, passedOver);
  const isOpen = hasCondition(rest.replace(/\bonly\b/gi, ""));
  return { slots: Object.fromEntries(given), left: isOpen ? [words] : left.map(restore) };
}

interface Later {
  readonly requests: readonly Understood[];
  readonly fillsQuestion: boolean;
}

/** Reads a message that changes slots of an earlier request, or answers its question. */
function understandLater(
  words: string,
  earlier: Request | undefined,
  context: SlotContext,
): Later | undefined {
  if (earlier?.recipe === undefined) return undefined;
  const { recipe, slots: before } = earlier;
  const later = (slots: JsonObject, fillsQuestion: boolean): Later => ({
    requests: [{ recipe, words, left: [], slots: { ...before, ...slots }, open: "", rest: "" }],
    fillsQuestion,
  });
  const question = openQuestion(recipe, { ...before, today: context.today });
  const asked = question?.asks ?? [];
  if (question?.isFreeText === true)
    return refusal.test(words) ? undefined : later({ [asked[0] ?? ""]: words }, false);
  if (words.length > maxLaterLength) return undefined;
  const missing = Object.fromEntries(asked.map((name) => [name, recipe.slots[name]]));
  const { slots, left } = readChanges({ ...missing, ...recipe.later }, words, context);
  // None of the words may be passed over in silence.
  if (Object.keys(slots).length === 0 || left.length > 0) return undefined;
  const changes = [before["changes"], slots["changes"]].flatMap((list) => list ?? []);
  return later(
    changes.length > 0 ? { ...slots, changes } : slots,
    asked.some((name) => name in slots),
  );
}

/** Reads a message: the answer to a question, requests of its own, or a change of the one before. */
export function readMessage(
  task: string,
  earlier: Request | undefined,
  recipes: readonly Recipe[],
  context: SlotContext,
): { readonly requests: readonly Request[]; readonly isLater: boolean } {
  const later = understandLater(task, earlier, context);
  if (greeting.test(task)) return { requests: [], isLater: false };
  if (later?.fillsQuestion === true) return { ...later, isLater: true };
  const requests = understand(task, recipes, context);
  return later === undefined || requests.some(({ recipe }) => recipe !== undefined)
    ? { requests, isLater: false }
    : { ...later, isLater: true };
}
