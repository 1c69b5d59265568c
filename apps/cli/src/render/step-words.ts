import {
  describeSkillRead,
  isToolWorded,
  notDoneOf,
  toolDone,
  toolLabel,
  toolTodo,
  type ActionOutcome,
  type JsonValue,
  type ToolEnd,
  type ToolStart,
} from "@bron/protocol";
import { describeNotDone } from "./not-done.ts";
import { unconfirmedSentence } from "./tool-words.ts";
import { oneLine } from "./visible.ts";

/**
 * "Saved a draft: eva@example.com", or why it was not done. The start of a call is not worth a line,
 * and a warning says why it is repeated.
 */
export function describeStep(
  call: ToolStart | ToolEnd,
  input: JsonValue | undefined,
): string | undefined {
  if (call.phase === "start") return undefined;
  const notDone = notDoneOf(call);
  if (notDone)
    return oneLine(`${didNot(call.name, call.outcome)}: ${describeNotDone(notDone)}`, 240);
  const skill = describeSkillRead({ tool: call.name, input }, "Read the skill");
  if (skill !== undefined) return oneLine(skill);
  const about = aboutOf(input, call.output);
  return oneLine(`${toolDone(call.name)}${about === "" ? "" : `: ${about}`}`);
}

/** "search your email", or the name of a tool that has no words. */
export function todoOf(tool: string): string {
  return isToolWorded(tool) ? toolTodo(tool) : `do "${oneLine(toolLabel(tool))}"`;
}

function didNot(tool: string, outcome: ActionOutcome): string {
  if (outcome === "unknown") return unconfirmedSentence(tool).replace(/\.$/, "");
  return `${outcome === "failed" ? "Couldn't" : "Didn't"} ${todoOf(tool)}`;
}

/** Fields of inputs that tell one call from another, the most telling first. */
const tellingFields = ["to", "filename", "source", "name", "summary", "subject", "url", "channel"];

/** What the call was about, such as a recipient or a file. Empty if its input does not say. */
function aboutOf(input: JsonValue | undefined, output: JsonValue | undefined): string {
  const fields = objectOf(input);
  const { expression } = fields;
  const { result } = objectOf(output);
  if (typeof expression === "string" && result !== undefined)
    return `${expression} = ${typeof result === "string" ? result : JSON.stringify(result)}`;
  const found = tellingFields.map((name) => textOf(fields[name])).find((text) => text !== "");
  return found ?? "";
}

function objectOf(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** "eva@example.com and 2 more" */
function textOf(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || typeof value[0] !== "string") return "";
  return value.length === 1 ? value[0] : `${value[0]} and ${value.length - 1} more`;
}
