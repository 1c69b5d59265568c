import { unreachable } from "@bron/core";
import {
  describeIntent,
  compareToolSets,
  describeAuth,
  describePlace,
  formatBytes,
  isTerminal,
  notDoneOf,
  reportOutcomeName,
  webStatusOf,
  type ActionView,
  type CardKind,
  type ClientActionPayload,
  type EventPayloads,
  type EventView,
  type JsonValue,
  type QuestionPayload,
  type Risk,
  type SplitWords,
  type RunStatus,
  type ToolEnd,
  type ToolSetPayload,
  type ToolStart,
  type UserMessage,
} from "@bron/protocol";
import { describeLine } from "./log-line.ts";
import { describeNotDone } from "./not-done.ts";
import { shortId } from "./short-id.ts";
import { linesOf } from "../paste-filter.ts";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

/**
 * Describes the events of one run in order, one line each, or undefined for events that people do
 * not need. The start of a tool call does not carry its input, so the describer remembers it from
 * the step that planned it. `earlier` holds the actions of steps before the first event.
 */
export function createEventDescriber(
  earlier: readonly Pick<ActionView, "id" | "input">[] = [],
): (event: EventView) => string | undefined {
  const inputs = new Map<string, JsonValue>(earlier.map(({ id, input }) => [id, input]));
  const asked: Asked = new Map();
  let hasChild = false;
  let status: string | undefined;
  let toolSet: ToolSetPayload | undefined;

  const describeStatus = ({ status: next, code }: EventPayloads["status"]) => {
    const word = next === "awaiting_confirmation" ? wordFor(asked, hasChild) : webStatusOf[next];
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
        return event.payload.level === "info"
          ? oneLine(describeLine(event.payload))
          : `${event.payload.level}: ${oneLine(describeLine(event.payload))}`;
      case "tool":
        // The closing line says how the run went.
        if (event.payload.name === reportOutcomeName) return undefined;
        if (event.payload.phase === "end") return describeEnd(event.payload);
        return describeStart(event.payload, inputs.get(event.payload.actionId));
      case "step":
        if (event.payload.phase === "end")
          for (const { actionId, input } of event.payload.calls) inputs.set(actionId, input);
        return event.payload.phase === "start" && event.payload.attempt > 1
          ? `retrying the model call (attempt ${event.payload.attempt})`
          : undefined;
      case "tool_set": {
        const before = toolSet;
        toolSet = event.payload;
        return before && describeToolSets(before, toolSet);
      }
      case "ui":
        return coveredCards.has(event.payload.kind) ? undefined : `card ${event.payload.kind}`;
      case "artifact":
        return `artifact ${oneLine(event.payload.name)} (${event.payload.mediaType}, ${formatBytes(event.payload.sizeBytes)})`;
      case "child_run":
        if (event.payload.actionId !== undefined)
          return isTerminal(event.payload.status)
            ? undefined
            : `waiting for child run ${shortId(event.payload.childRunId)}: ${oneLine(event.payload.title)}`;
        return `child run ${shortId(event.payload.childRunId)} ${childWord(event.payload.status)}: ${oneLine(event.payload.title)}`;
      case "approval":
        return describeApproval(event.payload);
      case "question":
        return describeQuestion(event.payload);
      case "client_action":
        return describeClientAction(event.payload);
      case "place":
        return `${event.payload.by === undefined ? "runs in" : "moved to"} ${oneLine(describePlace(event.payload.place))}`;
      case "auth":
        return event.payload.state === "needed"
          ? `needs ${event.payload.provider}: ${oneLine(describeAuth(event.payload))}`
          : `${event.payload.provider} connected`;
      case "cancel":
        return describeCancel(event.payload);
      case "intent":
        return oneLine(describeIntent(event.payload));
      case "effect":
        return describeShownRisks(event.payload.risks ?? []);
      case "usage":
      case "auxiliary_call":
        return undefined;
      default:
        return unreachable(event);
    }
  };
}

/** A draft is written without asking. What is in it is asked about when it is sent. */
function describeShownRisks(risks: readonly Risk[]): string | undefined {
  const values = [...new Set(risks.map(({ value }) => `"${oneLine(value)}"`))];
  return values.length === 0 ? undefined : `look at this before you use it: ${values.join(", ")}`;
}

function describeCancel({ cause, reason }: EventPayloads["cancel"]): string {
  if (cause === "parent_ended") return "canceled: the parent run has ended";
  return `cancel requested${reason === undefined ? "" : `: ${oneLine(reason)}`}`;
}

type Asked = Map<string, "approval" | "question">;

/** What a parked run waits for. Without an approval or a question, a child run asks. */
function wordFor(asked: Asked, hasChild: boolean): string {
  const kinds = [...asked.values()];
  if (kinds.length === 0) return hasChild ? "needs you" : "needs_approval";
  return kinds.includes("approval") ? "needs_approval" : "needs_answer";
}

/** The log of the parent does not say what the child run asks. */
const childWord = (status: RunStatus) =>
  status === "awaiting_confirmation" ? "needs you" : webStatusOf[status];

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
  { type, payload }: Extract<EventView, { type: "approval" | "question" }>,
): void {
  if (payload.state === "pending") asked.set(id, type);
  else asked.delete(id);
}

/** Cards whose content other events report too. */
const coveredCards: ReadonlySet<CardKind> = new Set<CardKind>([
  "ApprovalCard",
  "RunSummaryCard",
  "ReconnectCard",
]);

function describeApproval({
  approvalId,
  state,
  reason,
}: Extract<EventView, { type: "approval" }>["payload"]): string {
  const why = state === "denied" && reason ? `: ${oneLine(reason)}` : "";
  return `approval ${shortId(approvalId)} ${state}${why}`;
}

function describeQuestion({
  questionId,
  state,
  text = "",
  typed,
  choice,
}: QuestionPayload): string {
  if (state === "pending") return `question ${shortId(questionId)}: ${oneLine(text)}`;
  if (state === "answered") return `You: ${oneLine(typed ?? choice ?? "")}`;
  return `question ${shortId(questionId)} ${state}`;
}

/** Its result is reported with the tool's. */
function describeClientAction({
  state,
  program = "",
  tool = "",
  expiresAt = "",
}: ClientActionPayload): string | undefined {
  if (state === "pending")
    return `waiting for the ${oneLine(program)} to do ${tool} until ${localTime(expiresAt)}`;
  return state === "taken" ? "a program is carrying it out" : undefined;
}

/** Names what the run gained and lost. The first set of a run is not worth a line. */
function describeToolSets(before: ToolSetPayload, after: ToolSetPayload): string {
  const { added, removed, changed } = compareToolSets(before, after);
  const words = [
    ...added.map((name) => `+${oneLine(name)}`),
    ...removed.map((name) => `-${oneLine(name)}`),
    ...changed.map((name) => `~${oneLine(name)}`),
  ];
  return `tools changed: ${words.join(" ")}`;
}

function describeStart({ name, attempt }: ToolStart, planned: JsonValue | undefined): string {
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
