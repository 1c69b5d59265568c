import type { Conversation, ToolResult } from "../conversation.ts";
import { readOutcome } from "../planner/tool-outcome.ts";
import type { MessageResponse } from "../script.ts";
import { isObject, type FunctionDeclaration } from "../wire.ts";

const spawnTool = "spawn_bron";
const awaitTool = "await_bron";
const maxChildRuns = 3;
const maxTitleLength = 80;

/** "… each by a Bron of its own: one; two; three" */
const handing = /\b(?:each|every one|in parallel)\b[^:]*\b(?:brons?|agents?)\b[^:]*:\s*(\S[^]*)$/i;

/** A task that is to be done in parts by others: hands them over, waits for them, and puts together what they say. Undefined if it is none. */
export function planChildRuns(
  { task, results }: Conversation,
  declarations: readonly FunctionDeclaration[],
  mayCall: boolean,
): MessageResponse | undefined {
  const offered = new Set(declarations.map(({ name }) => name));
  const [, list] = handing.exec(task) ?? [];
  if (list === undefined || !mayCall || !offered.has(spawnTool) || !offered.has(awaitTool))
    return undefined;
  const all = list
    .split(/;|\n+/)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:\d+[.)]|[-*]|and)\s+/i, "")
        .replace(/[.;]$/, ""),
    )
    .filter((part) => part !== "");
  const parts = all.slice(0, maxChildRuns);
  const handed = results.filter(({ name }) => name === spawnTool);
  if (handed.length < parts.length) {
    const calls = parts.slice(handed.length).map((part) => ({
      name: spawnTool,
      args: {
        title: titleOf(part),
        prompt: `${part.charAt(0).toUpperCase()}${part.slice(1)}${/[?!]$/.test(part) ? "" : "."}`,
      },
    }));
    return {
      thought: `These are ${parts.length} parts that do not need each other, so each is handed to a run of its own.`,
      calls,
    };
  }
  const ended = results.filter(({ name }) => name === awaitTool);
  const runIds = handed.flatMap((result) => idOf(result) ?? []);
  const awaited = new Set(ended.map(({ args }) => args["runId"]));
  const calls = runIds
    .filter((runId) => !awaited.has(runId))
    .map((runId) => ({ name: awaitTool, args: { runId } }));
  if (calls.length > 0)
    return { thought: "The parts are under way; I wait for what they bring.", calls };
  return {
    thought: "All parts are over: I put together what they brought.",
    text: report(parts, handed, ended, all.slice(maxChildRuns)),
  };
}

function titleOf(part: string): string {
  const title = `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
  return title.length <= maxTitleLength
    ? title
    : `${title.slice(0, maxTitleLength - 1).trimEnd()}…`;
}

function idOf({ response }: ToolResult): string | undefined {
  const outcome = readOutcome("list", response);
  const runId =
    outcome.status === "done" && isObject(outcome.value) ? outcome.value["runId"] : undefined;
  return typeof runId === "string" ? runId : undefined;
}

/** What each brought, under its own words; what failed is unknown, and said at the end. */
function report(
  parts: readonly string[],
  handed: readonly ToolResult[],
  ended: readonly ToolResult[],
  beyond: readonly string[],
): string {
  const failed: string[] = [];
  const answers = parts.map((part, index) => {
    const spawned = handed[index];
    const runId = spawned && idOf(spawned);
    const result = ended.find(({ args }) => args["runId"] === runId) ?? spawned;
    const outcome = result
      ? readOutcome("list", result.response)
      : { status: "failed" as const, message: "It was not handed over." };
    const summary =
      outcome.status === "done" && isObject(outcome.value) && runId !== undefined
        ? outcome.value["summary"]
        : undefined;
    if (typeof summary === "string") return `**${part}**\n\n${summary}`;
    failed.push(
      `- ${part}: ${outcome.status === "done" ? "It brought nothing." : outcome.message}`,
    );
    return `**${part}**\n\nUnknown.`;
  });
  const trouble =
    failed.length === 0
      ? []
      : [`What failed, and what I did: I went on without these parts.\n${failed.join("\n")}`];
  const rest =
    beyond.length === 0
      ? []
      : [
          `Not done, since at most ${maxChildRuns} parts can be handed over: ${beyond.join("; ")}. Ask for ${beyond.length === 1 ? "it" : "them"} by ${beyond.length === 1 ? "itself" : "themselves"}.`,
        ];
  return [...answers, ...trouble, ...rest].join("\n\n");
}
