import type { Conversation, ToolResult } from "../conversation.ts";
import { readOutcome } from "../planner/tool-outcome.ts";
import type { MessageResponse } from "../script.ts";
import { isObject, type FunctionDeclaration } from "../wire.ts";

const spawnTool = "spawn_bron";
const awaitTool = "await_bron";
const maxChildRuns = 3;
const maxTitleLength = 80;

/** "… each with its own Bron: one; two; three" */
const explicitList =
  /\b(?:each|every one|in parallel)\b[^:]*\b(?:brons?|agents?)\b[^:]*:\s*(\S[^]*)$/i;
/** "Prepare my week: check my calendar, my unread email and … at the same time." */
const parallelChecks =
  /:\s*check (\S[^:]*?),? (?:at the same time|in parallel|at once|simultaneously)[\s.!]*$/i;

interface Subtask {
  /** The owner's words, used as the title. */
  readonly words: string;
  readonly prompt: string;
}

/**
 * Plans a task that asks for several child runs: starts them, waits for all of them and combines
 * their results. Returns undefined for any other task.
 */
export function planChildRuns(
  { task, results }: Conversation,
  declarations: readonly FunctionDeclaration[],
  mayCall: boolean,
): MessageResponse | undefined {
  const offered = new Set(declarations.map(({ name }) => name));
  if (!mayCall || !offered.has(spawnTool) || !offered.has(awaitTool)) return undefined;
  const all = readSubtasks(task);
  if (all.length === 0) return undefined;
  const subtasks = all.slice(0, maxChildRuns);
  const started = results.filter(({ name }) => name === spawnTool);
  if (started.length < subtasks.length) {
    const calls = subtasks.slice(started.length).map(({ words, prompt }) => ({
      name: spawnTool,
      args: { title: titleOf(words), prompt },
    }));
    return {
      thought: `These ${subtasks.length} subtasks don't depend on each other, so each one runs separately.`,
      calls,
    };
  }
  const finished = results.filter(({ name }) => name === awaitTool);
  const runIds = started.flatMap((result) => runIdOf(result) ?? []);
  const awaited = new Set(finished.map(({ args }) => args["runId"]));
  const calls = runIds
    .filter((runId) => !awaited.has(runId))
    .map((runId) => ({ name: awaitTool, args: { runId } }));
  if (calls.length > 0)
    return { thought: "The subtasks are running. I wait for their results.", calls };
  return {
    thought: "All subtasks are finished, so I combine their results.",
    text: combine(subtasks, { started, finished, leftOut: all.slice(maxChildRuns) }),
  };
}

function readSubtasks(task: string): readonly Subtask[] {
  const [, list] = explicitList.exec(task) ?? [];
  if (list !== undefined)
    return list.split(/;|\n+/).flatMap((item) => {
      const words = item
        .trim()
        .replace(/^(?:\d+[.)]|[-*]|and)\s+/i, "")
        .replace(/[.;]$/, "");
      return words === "" ? [] : [{ words, prompt: sentence(words) }];
    });
  const [, checks] = parallelChecks.exec(task) ?? [];
  return (checks ?? "")
    .split(/,\s*(?:and\s+)?|\s+and\s+/i)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((words) => ({ words, prompt: questionAbout(words) }));
}

/** The question that a thing to check stands for. */
function questionAbout(words: string): string {
  if (/\bcalendar\b/i.test(words)) return "What is on my calendar in the next 7 days?";
  if (/\bunread\b/i.test(words)) return "How many unread emails did I get this week?";
  const [channel] = /#[\w-]+/.exec(words) ?? [];
  if (channel !== undefined && /\bdeci(?:ded|sions?)\b/i.test(words))
    return `What was decided in ${channel} in the last 14 days?`;
  return sentence(words);
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${/[?!]$/.test(words) ? "" : "."}`;
}

function titleOf(words: string): string {
  const title = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return title.length <= maxTitleLength
    ? title
    : `${title.slice(0, maxTitleLength - 1).trimEnd()}…`;
}

function runIdOf({ response }: ToolResult): string | undefined {
  const outcome = readOutcome("list", response);
  const runId =
    outcome.status === "done" && isObject(outcome.value) ? outcome.value["runId"] : undefined;
  return typeof runId === "string" ? runId : undefined;
}

interface ChildRunResults {
  readonly started: readonly ToolResult[];
  readonly finished: readonly ToolResult[];
  readonly leftOut: readonly Subtask[];
}

/** One section per subtask. Failures are listed at the end, and their sections say "No result". */
function combine(
  subtasks: readonly Subtask[],
  { started, finished, leftOut }: ChildRunResults,
): string {
  const failed: string[] = [];
  const sections = subtasks.map(({ words }, index) => {
    const spawned = started[index];
    const runId = spawned && runIdOf(spawned);
    const result = finished.find(({ args }) => args["runId"] === runId) ?? spawned;
    const outcome = result
      ? readOutcome("list", result.response)
      : { status: "failed" as const, message: "It couldn't be started." };
    const summary =
      outcome.status === "done" && isObject(outcome.value) && runId !== undefined
        ? outcome.value["summary"]
        : undefined;
    if (typeof summary === "string") return `**${words}**\n\n${summary}`;
    failed.push(
      `- ${words}: ${outcome.status === "done" ? "It returned nothing." : outcome.message}`,
    );
    return `**${words}**\n\nNo result.`;
  });
  const failures =
    failed.length === 0
      ? []
      : [`These subtasks failed, so I continued without them:\n${failed.join("\n")}`];
  const rest =
    leftOut.length === 0
      ? []
      : [
          `I can run at most ${maxChildRuns} subtasks at once, so I left out: ${leftOut.map(({ words }) => words).join("; ")}. Ask me for ${leftOut.length === 1 ? "it" : "them"} separately.`,
        ];
  return [...sections, ...failures, ...rest].join("\n\n");
}
