import { unreachable } from "@bron/core";
import {
  describeIntent,
  compareToolSets,
  statusWords,
  toolLabel,
  describeAuth,
  describePlace,
  describeReasons,
  formatBytes,
  isTerminal,
  notDoneOf,
  reportOutcomeName,
  webStatusOf,
  whyUnasked,
  type ActionView,
  type CardKind,
  type ClientActionPayload,
  type EventPayloads,
  type EventView,
  type JsonValue,
  type QuestionPayload,
  type Risk,
  type SplitWords,
  type RunOutcome,
  type RunStatus,
  type ToolEnd,
  type ToolSetPayload,
  type ToolStart,
  type UserMessage,
} from "@bron/protocol";
import { approvalStateWords } from "./approval.ts";
import { renderCard } from "./card.ts";
import { isFileForPeople } from "./files-for-people.ts";
import { describeLine } from "./log-line.ts";
import { describeNotDone } from "./not-done.ts";
import { inSentence } from "./run-status.ts";
import { shortId } from "./short-id.ts";
import { describeStep, todoOf } from "./step-words.ts";
import { linesOf } from "../paste-filter.ts";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

export interface DescribeOptions {
  /** The actions of steps before the first event. */
  readonly earlier?: readonly Pick<ActionView, "id" | "input">[];
  /** Names tools, with what they got and returned. */
  readonly isVerbose?: boolean;
}

/**
 * Describes the events of one run in order, one line each, or undefined for events that people do
 * not need. The start of a tool call does not carry its input, so the describer remembers it from
 * the step that planned it.
 */
export function createEventDescriber({ earlier = [], isVerbose = false }: DescribeOptions = {}): (
  event: EventView,
) => string | undefined {
  const inputs = new Map<string, JsonValue>(earlier.map(({ id, input }) => [id, input]));
  const asked: Asked = new Set();
  let hasChild = false;
  let status: string | undefined;
  let toolSet: ToolSetPayload | undefined;

  const describeStatus = ({ status: next, code, outcome }: EventPayloads["status"]) => {
    // What is asked has a line of its own.
    if (next === "awaiting_confirmation" && asked.size > 0) return undefined;
    const word = next === "awaiting_confirmation" && hasChild ? needsYou : wordOf(next, outcome);
    if (word === status) return undefined;
    status = word;
    return code === undefined ? word : `${word} (${code})`;
  };

  return (event) => {
    if (event.type === "approval") setAsked(asked, event.payload.approvalId, event);
    if (event.type === "question") setAsked(asked, event.payload.questionId, event);
    if (event.type === "child_run") hasChild = true;
    switch (event.type) {
      case "status":
        return describeStatus(event.payload);
      case "owner_message":
        return describeWords(event.payload);
      case "message":
        // What the owner said meanwhile has been printed when it was said.
        return "messageId" in event.payload ? undefined : describeMessage(event.payload);
      case "log":
        return describeLog(event.payload);
      case "tool":
        // The closing line says how the run went.
        if (event.payload.name === reportOutcomeName) return undefined;
        return isVerbose
          ? describeCall(event.payload, inputs.get(event.payload.actionId))
          : describeStep(event.payload, inputs.get(event.payload.actionId));
      case "step":
        if (event.payload.phase === "end")
          for (const { actionId, input } of event.payload.calls) inputs.set(actionId, input);
        return event.payload.phase === "start" && event.payload.attempt > 1
          ? `Asking the model again (attempt ${event.payload.attempt})`
          : undefined;
      case "tool_set": {
        const before = toolSet;
        toolSet = event.payload;
        return before && describeToolSets(before, toolSet, isVerbose);
      }
      case "ui":
        return coveredCards.has(event.payload.kind) ? undefined : titleOf(event.payload);
      case "artifact":
        return isVerbose || (isFileForPeople(event.payload) && event.payload.kind !== "attachment")
          ? `File: ${oneLine(event.payload.name)} (${formatBytes(event.payload.sizeBytes)})`
          : undefined;
      case "child_run":
        return describeChild(event.payload);
      case "approval":
        return describeAsked(event.payload, isVerbose);
      case "question":
        return describeQuestion(event.payload);
      case "client_action":
        return describeClientAction(event.payload);
      case "place":
        return `${event.payload.by === undefined ? "Runs in" : "Moved to"} ${oneLine(describePlace(event.payload.place))}`;
      case "auth":
        return describeConnection(event.payload);
      case "cancel":
        return describeCancel(event.payload);
      case "intent":
        return oneLine(describeIntent(event.payload));
      case "effect":
        return describeEffect(event);
      case "usage":
      case "auxiliary_call":
      case "summary":
      case "skill_set":
        return undefined;
      default:
        return unreachable(event);
    }
  };
}

function describeConnection(payload: Extract<EventView, { type: "auth" }>["payload"]): string {
  return payload.state === "needed"
    ? `${statusWords.needs_auth}: ${oneLine(describeAuth(payload))}`
    : `Connected: ${payload.provider}`;
}

function describeLog(line: EventPayloads["log"]): string {
  const text = oneLine(describeLine(line));
  return line.level === "info" ? text : `${line.level}: ${text}`;
}

/** An effect that needs no approval. The owner can undo it before it starts. */
function describeEffect(event: Extract<EventView, { type: "effect" }>): string | undefined {
  const { risks = [], undoUntil, undone } = event.payload;
  if (undone) return "You undid it. Nothing was done.";
  const reasons = whyUnasked(event.payload);
  if (!reasons) return describeShownRisks(risks);
  const why = `You aren't asked first: ${oneLine(describeReasons(reasons))}`;
  return undoUntil === undefined
    ? why
    : `${why} To undo it: bron runs undo ${shortId(event.runId)}`;
}

/** A draft is written without asking. What is in it is asked about when it is sent. */
function describeShownRisks(risks: readonly Risk[]): string | undefined {
  const values = [...new Set(risks.map(({ value }) => `"${oneLine(value)}"`))];
  return values.length === 0 ? undefined : `Look at this before you use it: ${values.join(", ")}`;
}

function describeCancel({ cause, reason }: EventPayloads["cancel"]): string {
  if (cause === "parent_ended") return "Stopped: the parent run has ended";
  return `You stopped it${reason === undefined ? "" : `: ${oneLine(reason)}`}`;
}

/** The approvals and questions that the run waits for. */
type Asked = Set<string>;

function wordOf(status: RunStatus, outcome: RunOutcome | null = null): string {
  const isByState = outcome === null || outcome === "done" || status !== "completed";
  return statusWords[isByState ? webStatusOf[status] : outcome];
}

function describeChild({
  childRunId,
  actionId,
  status,
  title,
}: EventPayloads["child_run"]): string | undefined {
  const child = `child run ${shortId(childRunId)}`;
  if (actionId === undefined)
    return `C${child.slice(1)}, ${inSentence(childWord(status))}: ${oneLine(title)}`;
  return isTerminal(status) ? undefined : `Waiting for ${child}: ${oneLine(title)}`;
}

/** The log of the parent does not say what the child run asks. */
const childWord = (status: RunStatus) =>
  status === "awaiting_confirmation" ? needsYou : wordOf(status);

const needsYou = "Needs you";

function describeMessage(
  message: Extract<EventView, { type: "message" }>["payload"],
): string | undefined {
  if (message.content === "") return undefined;
  return message.role === "user" ? describeWords(message) : `Bron: ${oneLine(message.content)}`;
}

type Words = Pick<UserMessage, "content" | "from" | "program" | "asTyped"> & {
  readonly split?: SplitWords;
};

function describeWords({ content, from, program, asTyped, split }: Words): string {
  const said = oneLine((split?.words ?? content).trim());
  if (program !== undefined) return `Program "${oneLine(program)}" (not your words): ${said}`;
  if (from === "parent") return `Parent run: ${said}`;
  const apart = describeApart(split).map((text) => ` [${text}]`);
  return `You${asTyped ? " (these are your words)" : ""}: ${said}${apart.join("")}`;
}

/** What is beside the owner's words. */
export function describeApart(split: SplitWords | undefined): string[] {
  return (split?.apart ?? []).map(
    ({ text, from }) =>
      `${from === "words" ? "treated as someone else's text" : "context"}: ${linesOf(text)}`,
  );
}

function setAsked(
  asked: Asked,
  id: string,
  { payload }: Extract<EventView, { type: "approval" | "question" }>,
): void {
  if (payload.state === "pending") asked.add(id);
  else asked.delete(id);
}

/** Cards whose content other events report too. */
const coveredCards: ReadonlySet<CardKind> = new Set<CardKind>([
  "ApprovalCard",
  "RunSummaryCard",
  "ReconnectCard",
]);

function describeQuestion({
  questionId,
  state,
  text = "",
  typed,
  choice,
}: QuestionPayload): string {
  if (state === "pending") return `Question ${shortId(questionId)}: ${oneLine(text)}`;
  if (state === "answered") return `You: ${oneLine(typed ?? choice ?? "")}`;
  return `Question ${shortId(questionId)}: ${state}`;
}

/** Its result is reported with the tool's. */
function describeClientAction({
  state,
  program = "",
  tool = "",
  expiresAt = "",
}: ClientActionPayload): string | undefined {
  if (state === "pending")
    return `Waiting for the ${oneLine(program)} to ${todoOf(tool)} until ${localTime(expiresAt)}`;
  return state === "taken" ? "A program is carrying it out" : undefined;
}

/** Names what the run gained and lost. The first set of a run is not worth a line. */
function describeToolSets(
  before: ToolSetPayload,
  after: ToolSetPayload,
  isVerbose: boolean,
): string {
  const { added, removed, changed } = compareToolSets(before, after);
  const shown = (name: string) => oneLine(isVerbose ? name : toolLabel(name));
  const words = [
    ...added.map((name) => `+ ${shown(name)}`),
    ...removed.map((name) => `- ${shown(name)}`),
    ...changed.map((name) => `~ ${shown(name)}`),
  ];
  return `Tools changed: ${words.join(", ")}`;
}

function describeAsked(
  { approvalId, state, reason }: EventPayloads["approval"],
  isVerbose: boolean,
): string {
  const why = state === "denied" && reason ? `: ${oneLine(reason)}` : "";
  const id = isVerbose || state === "pending" ? ` (approval ${shortId(approvalId)})` : "";
  return `${approvalStateWords[state]}${id}${why}`;
}

/** "2 emails found", as the card begins. */
function titleOf({ kind, payload }: EventPayloads["ui"]): string {
  return oneLine((renderCard(kind, payload)[0] ?? "").replace(/:$/, ""));
}

/** A tool call by its name, for developers. */
function describeCall(call: ToolStart | ToolEnd, planned: JsonValue | undefined): string {
  if (call.phase === "end") return describeEnd(call);
  const { name, attempt } = call;
  return `→ ${name}${planned === undefined ? "" : ` ${short(planned)}`}${attempt > 1 ? ` (attempt ${attempt})` : ""}`;
}

function describeEnd(end: ToolEnd): string {
  const { name, outcome, output, error } = end;
  const notDone = notDoneOf(end);
  if (!notDone) return `← ${name} ${short(output ?? null)}`;
  return `← ${name} ${outcome}${error ? `: ${oneLine(describeNotDone(notDone))}` : ""}`;
}

function short(value: JsonValue): string {
  return oneLine(typeof value === "string" ? value : JSON.stringify(value));
}
