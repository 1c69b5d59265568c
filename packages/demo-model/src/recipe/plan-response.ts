import { quoted } from "../words/quoted.ts";
import { stopWords } from "../recipes/word-lists.ts";
import type { Conversation, ToolResult } from "../conversation.ts";
import type { MessageResponse } from "../script.ts";
import type { FunctionDeclaration, JsonObject } from "../wire.ts";
import { findTool, fitArguments } from "./offered-tool.ts";
import { sayNotUnderstood } from "../recipes/approval-reply.ts";
import { playRecipe, type Play, type Progress } from "./play.ts";
import {
  combineOutcomes,
  outcomeCalls,
  worseOutcome,
  type RequestOutcome,
} from "./request-outcome.ts";
import { callsOf, type Given, type Recipe, type WantedCall } from "./recipe.ts";
import type { SlotContext } from "./slot.ts";
import { readOutcome, type ToolOutcome } from "./tool-outcome.ts";
import { readMessage, type Request } from "./understand.ts";

interface PlanOptions {
  readonly recipes: readonly Recipe[];
  readonly declarations: readonly FunctionDeclaration[];
  /** False if the request forbids tool calls. */
  readonly mayCall: boolean;
}

/**
 * Plans the next message from the model request alone, so the same request always gets the same
 * message.
 */
export function planResponse(conversation: Conversation, options: PlanOptions): MessageResponse {
  const played = playWords(conversation, options);
  if (played === undefined)
    return {
      thought: "This is no task.",
      ...finalMessage(introduce(options), "done", options),
    };
  const { lines, wanted, isUnclear, outcomes } = played;
  if (wanted.length === 0)
    return {
      thought: "There are no calls left, so I report the results.",
      ...finalMessage(
        [...lines, ...(isUnclear ? ["", introduce(options)] : [])].join("\n"),
        combineOutcomes(outcomes),
        options,
      ),
    };
  const thought = `Next: ${wanted.map(({ doing }) => doing).join("; ")}.`;
  if (options.mayCall)
    return {
      thought,
      calls: wanted.flatMap(({ tool, args }) => {
        const found = findTool(tool, args, options.declarations);
        return found === undefined ? [] : [{ name: found.name, args: fitArguments(found, args) }];
      }),
    };
  const open = wanted.map(({ doing }) => `I didn't get to: ${doing}.`);
  return { thought, text: [...lines, ...open].join("\n") };
}

/** A message that ends the task, and says how it went. */
function finalMessage(
  text: string,
  outcome: RequestOutcome,
  { declarations, mayCall }: PlanOptions,
): MessageResponse {
  const calls = mayCall ? outcomeCalls(outcome, declarations) : [];
  return calls.length === 0 ? { text } : { text, calls };
}

/**
 * Plays the task, and then, one after the other, what the user said later. A reply to an approval
 * that changed the task is part of it. Undefined if nothing was asked.
 */
function playWords(conversation: Conversation, options: PlanOptions): Played | undefined {
  let view = conversation;
  let played = playTask(view, options);
  for (const words of conversation.laterWords) {
    if (stopWords.test(words)) {
      const lines = [...(played?.lines ?? []), "You told me to stop, so I did nothing more."];
      return {
        lines,
        wanted: [],
        isUnclear: false,
        taken: 0,
        replies: [],
        outcomes: ["could_not"],
      };
    }
    if (played && (played.wanted.length > 0 || played.replies.includes(words))) continue;
    const later = laterView(view, played, words);
    // The task has already said that it was not done because of this reply.
    if (isReply(view, words) && !isUnderstood(later, options)) continue;
    view = later;
    played = addPlayed(played, playTask(view, options));
  }
  return played;
}

function isReply({ results }: Conversation, words: string): boolean {
  return results
    .map(({ response }) => readOutcome(response))
    .some((outcome) => outcome.status === "replied" && outcome.message === words);
}

function isUnderstood(conversation: Conversation, { recipes }: PlanOptions): boolean {
  return readRequests(conversation, recipes).some(({ recipe }) => recipe !== undefined);
}

function addPlayed(before: Played | undefined, next: Played | undefined): Played | undefined {
  if (!before || !next) return next ?? before;
  return {
    ...next,
    lines: [...before.lines, ...next.lines],
    isUnclear: before.isUnclear || next.isUnclear,
    outcomes: [...before.outcomes, ...next.outcomes],
    replies: [...before.replies, ...next.replies],
  };
}

/** The conversation once the words before these are done. */
function laterView(before: Conversation, played: Played | undefined, words: string): Conversation {
  const taken = played?.taken ?? 0;
  return {
    ...before,
    task: words,
    results: before.results.slice(taken),
    earlierResults: [...before.earlierResults, ...before.results.slice(0, taken)],
    earlierMessages: [
      ...before.earlierMessages,
      { by: "user", text: before.task },
      ...(played ? [{ by: "model" as const, text: played.lines.join("\n") }] : []),
    ],
  };
}

interface Played {
  readonly lines: readonly string[];
  /** The next calls. */
  readonly wanted: readonly WantedCall[];
  /** Some words matched no recipe, or its tools are not offered. */
  readonly isUnclear: boolean;
  /** Number of results that were used. */
  readonly taken: number;
  /** Replies to approvals that changed what is done. */
  readonly replies: readonly string[];
  /** How each request went. */
  readonly outcomes: readonly RequestOutcome[];
}

function playTask(conversation: Conversation, options: PlanOptions): Played | undefined {
  const requests = readRequests(conversation, options.recipes);
  return requests.length === 0 ? undefined : playAll(requests, conversation, options);
}

function readRequests(conversation: Conversation, recipes: readonly Recipe[]): readonly Request[] {
  const { earlierMessages } = conversation;
  const context = contextOf(conversation);
  let earlier: Request | undefined;
  for (const [at, { by, text }] of earlierMessages.entries()) {
    const before = { ...conversation, earlierMessages: earlierMessages.slice(0, at) };
    if (by === "model") continue;
    const read = readMessage(text, earlier, recipes, { ...context, conversation: before });
    earlier = read.requests.findLast(({ recipe }) => recipe !== undefined) ?? earlier;
  }
  return readMessage(conversation.task, earlier, recipes, context).requests;
}

/** Plays the requests one after the other, as far as the results go. */
function playAll(
  requests: readonly Request[],
  conversation: Conversation,
  { declarations }: PlanOptions,
): Played {
  const results = createResultSource(conversation.results, declarations);
  const lines: string[] = [];
  const allPrevious: string[] = [];
  const replies: string[] = [];
  const outcomes: RequestOutcome[] = [];
  let previous = resultOf(conversation.earlierMessages.findLast(({ by }) => by === "model")?.text);
  let isUnclear = false;
  for (const request of requests) {
    if (lines.length > 0) lines.push("");
    if (request.recipe === undefined) {
      lines.push(`I can't do ${quoted(request.words)} in demo mode.`);
      if (request.blocked !== undefined) lines.push(sayBlocked(request.blocked));
      outcomes.push(request.blocked?.kind === "text" ? "needs_answer" : "could_not");
      isUnclear ||= request.blocked === undefined;
      previous = undefined;
      continue;
    }
    const { recipe } = request;
    const given = givenFor(request, conversation, declarations);
    const progress: Progress = {
      lines: [],
      outcome: "done",
      replies,
      values: { ...request.slots, ...given, previous, allPrevious },
    };
    if (requests.length > 1) lines.push(headingOf(request.words));
    progress.values["said"] = progress.lines;
    const wanted = replay(playRecipe(recipe, progress), results.next);
    const hasResult = progress.outcome === "done" || progress.outcome === "partly_done";
    lines.push(...progress.lines, ...(hasResult ? request.left.map(sayNotUnderstood) : []));
    outcomes.push(worseOutcome(progress.outcome, request.left.length > 0 ? "partly_done" : "done"));
    isUnclear ||= !isOffered(recipe, declarations);
    if (wanted.length > 0)
      return { lines, wanted, isUnclear, taken: results.taken(), replies, outcomes };
    previous = recipe.result?.(progress.values as JsonObject & Given);
    if (previous !== undefined) allPrevious.push(previous);
  }
  return { lines, wanted: [], isUnclear, taken: results.taken(), replies, outcomes };
}

function sayBlocked({ kind, part }: NonNullable<Request["blocked"]>): string {
  if (kind === "later") return `I can only do it now. I can't wait for this: ${quoted(part)}.`;
  return kind === "text"
    ? `Is ${quoted(part)} a part of the text? Put the text in quotation marks, so that I know where it ends.`
    : sayNotUnderstood(part);
}

/** Each of several requests is answered under its own words. */
function headingOf(words: string): string {
  return `${words.replace(/[\s.?!:]+$/, "").replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}:`;
}

/** What "it" means at the start of a message: the value at the end of the message before it. */
function resultOf(text: string | undefined): string | undefined {
  return /(?:=|:|\bit is) ([^\n]+)$/.exec(text ?? "")?.[1];
}

function givenFor(
  { words }: Request,
  conversation: Conversation,
  declarations: readonly FunctionDeclaration[],
): Given {
  return {
    request: words,
    allPrevious: [],
    said: [],
    today: contextOf(conversation).today,
    tools: declarations.map(({ name }) => name),
    skills: skillsIn(conversation.system),
  };
}

/** The names in the list of skills. What comes after it may be text of others. */
function skillsIn(system: string): readonly string[] {
  const [, list = ""] = /\n\[SKILLS\]\n([^]*?)(?:\n\n|$)/.exec(system) ?? [];
  return [...list.matchAll(/^- ([a-z0-9_-]+): "/gm)].map(([, name = ""]) => name);
}

/** The date of the system instruction. Attached context is ignored because it comes from others. */
function contextOf(conversation: Conversation): SlotContext {
  const [own = ""] = conversation.system.split("[ATTACHED CONTEXT]");
  const [, today = ""] = /\bToday is (?:[A-Z][a-z]+, )?(\d{4}-\d{2}-\d{2})\b/.exec(own) ?? [];
  return { conversation, today };
}

interface ResultSource {
  /** Gives the outcome of a call, or "open" if it has no result yet. */
  readonly next: (call: WantedCall) => ToolOutcome | "open";
  /** Number of results up to the last one that was given. */
  readonly taken: () => number;
}

function createResultSource(
  results: readonly ToolResult[],
  declarations: readonly FunctionDeclaration[],
): ResultSource {
  let taken = 0;
  return {
    taken: () => taken,
    next({ tool, args }) {
      const offered = findTool(tool, args, declarations);
      if (offered === undefined) return { status: "missing", message: "" };
      const at = results.findIndex(({ name }, index) => index >= taken && name === offered.name);
      const result = results[at];
      if (result === undefined) return "open";
      taken = at + 1;
      return readOutcome(result.response);
    },
  };
}

/** Feeds the results to a play in order. Returns the calls that have no result yet. */
function replay(play: Play, results: ResultSource["next"]): readonly WantedCall[] {
  let step = play.next();
  while (step.done !== true) {
    const wanted = step.value;
    const outcomes = wanted.map(results);
    const open = wanted.filter((_, index) => outcomes[index] === "open");
    if (open.length > 0) return open;
    step = play.next(outcomes.filter((outcome) => outcome !== "open"));
  }
  return [];
}

/** Whether at least one tool of a recipe is offered. */
function isOffered(
  recipe: Pick<Recipe, "steps">,
  declarations: readonly FunctionDeclaration[],
): boolean {
  const calls = callsOf(recipe);
  return (
    calls.length === 0 ||
    calls.some(
      ({ call }) =>
        typeof call !== "string" ||
        call.split("|").some((name) => declarations.some((declared) => declared.name === name)),
    )
  );
}

/** One line with the kinds of tasks whose tools are offered. Kinds with many tasks come first. */
function introduce({ recipes, declarations }: PlanOptions): string {
  const topics = new Map<string, number>();
  for (const { topic, task, ...recipe } of recipes)
    if (task !== "" && isOffered(recipe, declarations))
      topics.set(topic, (topics.get(topic) ?? 0) + 1);
  const names = [...topics].toSorted(([, a], [, b]) => b - a).map(([topic]) => topic);
  const known =
    names.length === 0
      ? "none, because their tools aren't available here"
      : [names.slice(0, -1).join(", "), ...names.slice(-1)]
          .filter((part) => part !== "")
          .join(" and ");
  return `I'm the built-in demo model. I know a fixed set of tasks: ${known}.`;
}
