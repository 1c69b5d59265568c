import { isObject, type JsonObject } from "../wire.ts";
import { matchesPhrase, wordsOf } from "./phrase.ts";
import { takeOutQuotes, type Quoted } from "./quotes.ts";
import type { Recipe } from "./recipe.ts";
import { isPresent, type SlotContext } from "./slot.ts";
import { createText } from "./text.ts";
import { correctTypos } from "../words/typos.ts";

/** One request of a message, or words that match no recipe. */
export type Request =
  | { readonly recipe: Recipe; readonly slots: JsonObject; readonly words: string }
  | { readonly recipe?: undefined; readonly words: string };

/** Longer tasks would keep the server busy. The limit counts characters outside quotations. */
const maxTaskLength = 2_000;
const maxLaterLength = 120;

const greeting =
  /^(?:(?:hi|hey|hello|yo|howdy|greetings)(?: there| bron| all)?|good (?:morning|afternoon|evening|day)|help(?: me)?|thanks?(?: you)?(?: (?:so much|a lot))?|test(?:ing)?|examples?|start|what(?: else)? (?:can|do|could) (?:you|i) (?:do|ask)(?: (?:here|for me|you|with (?:you|this)))?|(?:who|what) are you|what('s| is) this|how (?:does (?:this|it) work|are you|do i (?:start|use (?:this|you))))\W*$/i;

/** Reads the requests of a message in order. A greeting or a question about the model has none. */
export function understand(
  task: string,
  recipes: readonly Recipe[],
  context: SlotContext,
): readonly Request[] {
  const { text, restore } = readable(task.trim());
  if (greeting.test(text)) return [];
  if (text.length > maxTaskLength) return [{ words: `${task.trim().slice(0, 60)}…` }];
  const match = (words: string, isEntire = false) =>
    matchRecipe(words, isEntire, { recipes, context, restore });
  const entire = match(text, true);
  if (entire !== undefined) return [entire];
  const requests: Request[] = [];
  /** The words of the request at the end of the list. */
  let words = "";
  for (const { separator, words: clause } of splitClauses(text)) {
    if (wordsOf(clause).length === 0) continue;
    const own = match(clause);
    const longer = words + separator + clause;
    const joined = joinClause(requests.at(-1), { own, joined: match(longer), clause, separator });
    if (joined === undefined) requests.push(own ?? { words: restore(clause.trim()) });
    else requests.splice(-1, 1, joined === "unknown" ? { words: restore(longer.trim()) } : joined);
    words = joined === undefined ? clause : longer;
  }
  return requests;
}

/** The words without quotations and typos. What was typed is restored in what is taken from them. */
function readable(words: string): Quoted {
  const quoted = takeOutQuotes(words);
  const { text, typed } = correctTypos(quoted.text);
  return { text, restore: (piece) => quoted.restore(typed(piece)) };
}

interface NextClause {
  /** What the clause means without the request before it. */
  readonly own: Request | undefined;
  /** What the request before it means together with the clause. */
  readonly joined: Request | undefined;
  readonly clause: string;
  readonly separator: string;
}

/** The request before a clause with the clause, or undefined if the clause is a request of its own. */
function joinClause(
  last: Request | undefined,
  { own, joined, clause, separator }: NextClause,
): Request | "unknown" | undefined {
  const isSentence = /[.?!;\n]/.test(separator);
  if (last === undefined || separator.includes("\n")) return undefined;
  if (last.recipe === undefined) {
    if (isSentence) return undefined;
    if (own === undefined) return joined ?? "unknown";
    return joined !== undefined && slotsOf(own) !== slotsOf(joined) ? joined : undefined;
  }
  if (joined?.recipe !== last.recipe) return undefined;
  const words = wordsOf(clause);
  if (joined.recipe.continues?.some((phrase) => matchesPhrase(words, phrase))) return joined;
  if (own !== undefined) return undefined;
  const isMore = /^\s*(?:the|a|an|my|our|in|on|at|for|from|with|about|#|\d|\p{Lu})/u.test(clause);
  return (isMore && !isSentence) || slotsOf(last) !== slotsOf(joined) ? joined : undefined;
}

/** The slot `words` holds what no other slot took, so it does not show that a clause is understood. */
function slotsOf(request: Request): string {
  if (request.recipe === undefined) return "";
  const { words: _, ...slots } = request.slots;
  return JSON.stringify(slots);
}

const boundary =
  /(?:[.?!;]\s+|\s*\n\s*)(?:\d{1,2}[.)]\s+|[-*]\s+)?(?:and\s|then\s|also\s)?|,?\s+(?:and then|and also|then|and|but)\s|,\s/gi;

function splitClauses(text: string): readonly { separator: string; words: string }[] {
  const clauses: { separator: string; words: string }[] = [];
  let separator = "";
  let at = /^\d{1,2}[.)]\s+/.exec(text)?.[0].length ?? 0;
  for (const { index, 0: found } of text.matchAll(boundary)) {
    if (index < at) continue;
    clauses.push({ separator, words: text.slice(at, index) });
    separator = found;
    at = index + found.length;
  }
  clauses.push({ separator, words: text.slice(at) });
  return clauses;
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
): Request | undefined {
  const words = wordsOf(text);
  const matches = (phrase: string) => matchesPhrase(words, phrase);
  for (const recipe of recipes) {
    if ((recipe.isEntireMessage === true) !== isEntire) continue;
    if (!recipe.phrases.some(matches) || recipe.unless?.some(matches) === true) continue;
    const slots = fillSlots(recipe, text, context, restore);
    const hasAll = (recipe.needs ?? []).every((names) =>
      names.split("|").some((name) => isPresent(slots[name])),
    );
    if (hasAll) return { recipe, slots, words: restore(text.trim()) };
  }
  return undefined;
}

function fillSlots(
  recipe: Recipe,
  words: string,
  context: SlotContext,
  restore: (text: string) => string,
): JsonObject {
  const text = createText(words);
  return Object.fromEntries(
    Object.entries(recipe.slots).map(([name, read]) => [
      name,
      restoreQuotes(read?.(text, context), restore),
    ]),
  );
}

function restoreQuotes(value: unknown, restore: (text: string) => string): unknown {
  if (typeof value === "string") return restore(value);
  if (Array.isArray(value)) return value.map((item) => restoreQuotes(item, restore));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, restoreQuotes(inner, restore)]),
  );
}

/** Reads some slots from other words than the request. Leaves out slots without a value. */
export function readSlots(
  recipe: Recipe,
  names: readonly string[],
  words: string,
  context: SlotContext,
): JsonObject {
  const { text, restore } = readable(words.slice(0, maxTaskLength));
  return Object.fromEntries(
    Object.entries(fillSlots(recipe, text, context, restore)).filter(
      ([name, value]) => names.includes(name) && isPresent(value),
    ),
  );
}

/** Reads a message that only changes slots of an earlier request: "and on Friday?" */
export function understandLater(
  task: string,
  earlier: Request | undefined,
  context: SlotContext,
): Request | undefined {
  const recipe = earlier?.recipe;
  if (recipe === undefined || task.length > maxLaterLength) return undefined;
  const read = (words: string) => readSlots(recipe, recipe.later ?? [], words, context);
  const changed = read(task);
  // Each clause has to change something, so that none is passed over in silence.
  const isOpen = splitClauses(task).some(
    ({ words }) => wordsOf(words).length > 0 && Object.keys(read(words)).length === 0,
  );
  return Object.keys(changed).length === 0 || (isOpen && !("mention" in changed))
    ? undefined
    : { recipe, words: task, slots: { ...earlier?.slots, ...changed } };
}
