import {
  describeActionFailure,
  describeAuth,
  describeFailure,
  describeSkillRead,
  toolDone as doneOf,
  toolLabel as labelOf,
  toolPhrase as phraseOf,
  toolTodo as todoOf,
  type ActionFailure,
  type CardLine,
  type CardPayload,
  type CompletedCalls,
  type JsonValue,
  type ToolSetDiff,
} from "@bron/protocol";
import { actionWords } from "./action.ts";
import { cardsWords } from "./cards.ts";
import { runWords } from "./run.ts";
import { toolTexts } from "./tool-texts.ts";

/** "Sending an email", or "All email tools" for a wildcard. */
export const toolLabel = (pattern: string): string => labelOf(pattern, toolTexts);
/** "Sent an email" */
export const toolDone = (tool: string): string => doneOf(tool, toolTexts);
/** What a step does or has done. A skill is named in it. */
export function stepTitle({
  tool,
  state,
  input,
}: {
  readonly tool: string;
  readonly state: string;
  readonly input: JsonValue;
}): string {
  const isDone = state === "completed";
  const skill = describeSkillRead({ tool, input }, toolTexts.skillRead[isDone ? "done" : "doing"]);
  return skill ?? (isDone ? toolDone(tool) : toolLabel(tool));
}
/** "send an email" */
export const toolTodo = (tool: string): string => todoOf(tool, toolTexts);
/** "sending an email" */
export const toolPhrase = (pattern: string): string => phraseOf(pattern, toolTexts);

/** One sentence about a tool for its owner. Undefined for tools that this page does not know. */
export function toolPurpose(tool: string): string | undefined {
  return toolTexts.purposes[tool];
}

/** What a run can use now that it could not, and the reverse. */
export function describeToolSetDiff({ added, removed, changed }: ToolSetDiff): string {
  const list = (names: readonly string[]) => names.map(toolPhrase).join(", ");
  return [
    ...(added.length > 0 ? [toolTexts.added(list(added))] : []),
    ...(removed.length > 0 ? [toolTexts.removed(list(removed))] : []),
    ...(changed.length > 0 ? [toolTexts.changed(list(changed))] : []),
  ].join(" ");
}

/** "Searched your email ×2 (reused)" */
function describeCalls({ tool, count, reused }: CompletedCalls): string {
  const times = count === 1 ? "" : ` ${cardsWords.times(count)}`;
  return `${toolDone(tool)}${times}${reused ? ` (${runWords.reused})` : ""}`;
}

/** Planning is not worth a line. */
export function describeDid(did: readonly CompletedCalls[]): string[] {
  return did.filter(({ tool }) => tool !== "plan").map(describeCalls);
}

/** Why an action failed. Without a reason, the message of the tool. */
export function describeError(error: ActionFailure): string {
  return describeActionFailure(error, cardsWords.actionFailures);
}

/** How the owner can find out whether an effect happened. */
export function describeCheck({ tool, check, why }: CardPayload<"UnknownEffectCard">): string {
  return check ?? `${why ? `${describeError({ why })} ` : ""}${actionWords(tool).check}`;
}

/** One line about a card. The lines of earlier versions are text. */
export function cardLine(line: CardLine): string {
  const { kind, text, count, tool, outcome, did = [], error, auth } = line;
  if (count !== undefined) return cardsWords.listed(kind, count, text);
  if (tool !== undefined) {
    const words = actionWords(tool);
    return `${kind === "ApprovalCard" ? words.title({}) : `${words.unconfirmed}:`} ${text}`;
  }
  if (error) return describeFailure(error, cardsWords.failures);
  if (auth) return describeAuth({ why: auth }, cardsWords.auth);
  if (text !== "" || outcome === undefined) return text;
  if (outcome === "canceled") return cardsWords.stopped;
  return describeDid(did).join(" · ") || cardsWords.done;
}
