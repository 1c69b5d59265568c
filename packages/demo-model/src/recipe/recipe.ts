import type { JsonObject } from "../wire.ts";
import { isPresent, type SlotReader } from "./slot.ts";
import type { RequestOutcome } from "./request-outcome.ts";
import type { Trouble } from "./tool-outcome.ts";

/** Values that every step can use besides the slots and results of its own recipe. */
export interface Given {
  /** The words of the request. */
  readonly request: string;
  /** The result of the request before this one, for words such as "it". */
  readonly previous?: string;
  /** The results of all requests before this one, for words such as "both". */
  readonly allPrevious: readonly string[];
  /** The lines that this request has added to the message so far. */
  readonly said: readonly string[];
  /** "2026-11-15", or "" if the model was not given the date. */
  readonly today: string;
  /** The names of the tools that this request may call. */
  readonly tools: readonly string[];
  /** The names of the skills that the system instruction lists. */
  readonly skills: readonly string[];
}

/** A text, or a function that makes it from the values so far. */
type Say<V> = string | ((values: V & Given) => string | readonly string[] | undefined);

interface AnyStep<V> {
  /** The step is skipped if this returns false, "", 0, undefined or null. */
  readonly if?: (values: V & Given) => unknown;
  /** A name, so that `onReply` of a later step can go back to this one. */
  readonly id?: string;
}

/** Computes values from the ones so far. */
interface SetStep<V> extends AnyStep<V> {
  readonly set: (values: V & Given) => Partial<V>;
}

/** Adds lines to the message. With `stop` it also ends the request. */
interface SayStep<V> extends AnyStep<V> {
  readonly say: Say<V>;
  readonly stop?: true;
  /** The lines are the result, so they come before what the request has said so far. */
  readonly comesFirst?: true;
  /**
   * What these lines mean for the outcome of the request: it could not be done, or it asks
   * something. Default: done.
   */
  readonly outcome?: RequestOutcome | ((values: V & Given) => RequestOutcome | undefined);
  /** The lines ask for these slots. Its `if` may only use slots. */
  readonly asks?: readonly (keyof V & string)[];
  /** All words of the answer are the value of the slot. */
  readonly isFreeText?: true;
}

/** What the owner said at an approval instead of approving. */
export interface Reply {
  readonly words: string;
  /** The fields that the owner edited before. */
  readonly edit: JsonObject;
}

/**
 * Calls a tool. If the call has no result, the message says why and the request ends as could_not,
 * or as partly_done after an effect, unless `rescue` is set.
 */
export interface CallStep<V> extends AnyStep<V> {
  /** The tool's name. Other names for the same tool follow after "|". */
  readonly call: string | ((values: V & Given) => string);
  /** The arguments. A list makes several calls at once, and `as` gets the list of their results. */
  readonly with?: (values: V & Given) => Arguments | readonly Arguments[];
  /** Makes the calls of a list one after the other instead, until a result is good enough. */
  readonly until?: (result: unknown) => boolean;
  /** What the call does, after "I couldn't": "read the page". */
  readonly doing: Say<V>;
  /** Where the result is kept. */
  readonly as?: keyof V & string;
  /** Turns the tool's result into the value that is kept. Must accept any JSON. */
  readonly read?: (result: unknown, values: V & Given) => unknown;
  /** Gives the value to keep instead of a result if the call failed. */
  readonly rescue?: (trouble: Trouble) => unknown;
  /** The call changes something outside Bron. Its `if` may only use slots. */
  readonly isEffect?: true;
  /** Added if the effect was denied or failed: "Nothing was added." */
  readonly unchanged?: string;
  /**
   * Reads what the owner wants to be changed at the approval. Nothing is changed without a result,
   * or with words that are `left`. The recipe continues from the step with the id `from`.
   */
  readonly onReply?: {
    readonly read: (reply: Reply, values: V & Given) => ReadReply<V> | undefined;
    readonly from: string;
  };
}

export interface ReadReply<V> {
  readonly values: Partial<V>;
  /** What was not understood. */
  readonly left: readonly string[];
  /** Why it was not understood, if there is more to say. */
  readonly ask?: string | undefined;
}

export interface WantedCall {
  /** The names of the tool, separated by "|". */
  readonly tool: string;
  readonly args: JsonObject;
  readonly doing: string;
}

/** Entries without a value are left out. */
export type Arguments = { readonly [name: string]: unknown };

export type Step<V> = SetStep<V> | SayStep<V> | CallStep<V>;

/** A task of the demo model, as data. `V` names its slots and results. */
export interface Recipe<V extends object = JsonObject> {
  /** The kind of task, for the list of known tasks: "calendar". */
  readonly topic: string;
  /** What it does, for the list of known tasks: "find free time". */
  readonly task: string;
  /** Messages that must start this recipe. A test checks each of them. */
  readonly examples: readonly string[];
  /** Any of these phrases starts the recipe. phrase.ts explains them. */
  readonly phrases: readonly string[];
  /** Any of these phrases keeps it from starting. */
  readonly unless?: readonly string[];
  /** Read in this order. Each reader takes its words out of the text. */
  readonly slots: { readonly [Name in keyof V & string]?: SlotReader<V[Name]> };
  /** Slots without which it does not start. One of the names in "a|b" is enough. */
  readonly needs?: readonly string[];
  /** Phrases that belong to this request even though they fill no slot: "extract the fields". */
  readonly continues?: readonly string[];
  /** Other words that add nothing to this request. */
  readonly fillers?: string;
  /**
   * What a later message can change on its own: "and on Friday?" A list of `changes` is added to the
   * changes before.
   */
  readonly later?: { readonly [Name in keyof V & string]?: SlotReader<V[Name]> };
  /** Reads the entire message as one request. */
  readonly isEntireMessage?: true;
  readonly steps: readonly Step<V>[];
  /** What "it" means in the next request. */
  readonly result?: (values: V & Given) => string | undefined;
}

/** Forgets the types of a recipe's values, so that recipes fit into one list. */
export function defineRecipe<V extends object>(recipe: Recipe<V>): Recipe {
  return recipe as unknown as Recipe;
}

const nothingGiven: Given = {
  request: "",
  allPrevious: [],
  said: [],
  today: "",
  tools: [],
  skills: [],
};

function isWanted({ if: condition }: AnyStep<JsonObject>, slots: JsonObject): boolean {
  return condition === undefined || isPresent(condition({ ...nothingGiven, ...slots }));
}

/** The calls of a recipe: all of them, or those that its slots ask for. */
export function callsOf(
  { steps }: Pick<Recipe, "steps">,
  slots?: JsonObject,
): readonly CallStep<JsonObject>[] {
  return steps.filter(
    (step): step is CallStep<JsonObject> =>
      "call" in step && (slots === undefined || isWanted(step, slots)),
  );
}

/** The question that a recipe asks first if it has only these slots. */
export function openQuestion({ steps }: Pick<Recipe, "steps">, slots: JsonObject) {
  return steps.find(
    (step): step is SayStep<JsonObject> =>
      "say" in step && step.asks !== undefined && isWanted(step, slots),
  );
}
