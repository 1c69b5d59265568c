import {
  applyToApprovals,
  compareToolSets,
  isTerminal,
  keptOutputKind,
  noApprovals,
  notDoneOf,
  omitUndefined,
  reportOutcomeName,
  webStatusOf,
  type ApprovalsInLog,
  type Card,
  type EventView,
  type JsonObject,
  type JsonValue,
  type RunStatus,
  type SplitWords,
  type ToolSetPayload,
} from "@bron/protocol";
import { addActiveTime, noActiveTime, type ActiveTime } from "./active-time.ts";
import type { ChildItem, Item, ShownRisks } from "./item.ts";
import { addIntent, endPlans, setAsk } from "./plan-items.ts";
import { isPlainSuccess } from "./plain-success.ts";
import { markPutBack } from "./put-back-items.ts";
import { shown } from "./shown.ts";
import { unaskedItem } from "./unasked-item.ts";

export interface Timeline {
  readonly items: readonly Item[];
  readonly status: RunStatus;
  readonly seq: number;
  readonly cancelRequested: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicrousd: number;
  /** The last finished step. Partial text of this step or earlier is obsolete. */
  readonly endedStep: number;
  readonly active: ActiveTime;
  /** Indexes of the items of actions. For a child run, that of the action that started it. */
  readonly places: ReadonlyMap<string, number>;
  readonly approvalsInLog: ApprovalsInLog;
  /** Pending approvals and questions of this run, by ID. */
  readonly asked: ReadonlyMap<string, "approval" | "question">;
  /** The tools that the model is offered. */
  readonly toolSet: ToolSetPayload | undefined;
  /** Inputs of tool calls that have not started, by action. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
  /** Risks of effects that were not asked about, by action. */
  readonly risks: ReadonlyMap<string, ShownRisks>;
}

export const emptyTimeline: Timeline = {
  items: [],
  status: "queued",
  seq: 0,
  cancelRequested: false,
  inputTokens: 0,
  outputTokens: 0,
  costMicrousd: 0,
  endedStep: 0,
  active: noActiveTime,
  places: new Map(),
  approvalsInLog: noApprovals,
  asked: new Map(),
  toolSet: undefined,
  inputs: new Map(),
  risks: new Map(),
};

export function isRunning(timeline: Timeline): boolean {
  return webStatusOf[timeline.status] === "running" || timeline.status === "queued";
}

export function hasChildren({ items }: Timeline): boolean {
  return items.some(
    (item) => item.kind === "child" || (item.kind === "tool" && item.children !== undefined),
  );
}

type Draft = { -readonly [K in keyof Timeline]: Timeline[K] } & {
  readonly items: Item[];
  readonly places: Map<string, number>;
  readonly asked: Map<string, "approval" | "question">;
  readonly inputs: Map<string, JsonValue>;
  readonly risks: Map<string, ShownRisks>;
};

/**
 * Applies a batch of events with one copy of the timeline. Events that were already applied are
 * ignored.
 */
export function applyEvents(timeline: Timeline, events: readonly EventView[]): Timeline {
  const next: Draft = {
    ...timeline,
    items: [...timeline.items],
    places: new Map(timeline.places),
    asked: new Map(timeline.asked),
    inputs: new Map(timeline.inputs),
    risks: new Map(timeline.risks),
  };
  for (const event of events) {
    if (event.seq <= next.seq) continue;
    next.seq = event.seq;
    next.active = addActiveTime(next.active, event);
    // The owner may edit the form of an approval, so its components escape what they show.
    next.approvalsInLog = applyToApprovals(next.approvalsInLog, event);
    // Escaping happens only here, so that no component can forget it.
    applyEvent(next, shown(event));
  }
  return next.seq === timeline.seq ? timeline : next;
}

function applyEvent(timeline: Draft, event: EventView): void {
  const key = String(event.seq);
  switch (event.type) {
    case "status":
      return applyStatus(timeline, event);
    case "message":
      if (event.payload.role === "user")
        putWords(timeline, event.payload.messageId ?? key, event.payload);
      else if (event.payload.content !== "")
        timeline.items.push({
          kind: "answer",
          key,
          text: event.payload.content,
          isFinal: event.payload.final,
        });
      return;
    case "step":
      if (event.payload.phase === "start") return void (timeline.status = "planning");
      timeline.endedStep = event.payload.step;
      for (const { actionId, input } of event.payload.calls) timeline.inputs.set(actionId, input);
      return;
    case "tool":
      // The report of the outcome is not shown as a step.
      if (event.payload.name === reportOutcomeName) return undefined;
      return applyTool(timeline, event);
    case "ui":
      if (isPlainSuccess(event.payload as Card)) return undefined;
      return void timeline.items.push({ kind: "card", key, card: event.payload as Card });
    case "log":
      return applyLog(timeline, event);
    case "artifact":
      return applyArtifact(timeline, event);
    case "child_run":
      return applyChild(timeline, event.payload);
    case "usage":
      return addUsage(timeline, event.payload);
    case "auth":
      if (event.payload.state === "connected")
        timeline.items.push({ kind: "connected", key, provider: event.payload.provider });
      return;
    case "tool_set":
      return applyToolSet(timeline, event);
    case "cancel":
      return void (timeline.cancelRequested = true);
    case "owner_message":
      return putWords(timeline, event.payload.messageId, { ...event.payload, isWaiting: true });
    case "question":
      return applyQuestion(timeline, event);
    case "client_action":
      return applyClientAction(timeline, event);
    case "approval":
      return setAsked(timeline, event.payload.approvalId, event.payload.state, "approval");
    case "intent":
      return addIntent(timeline.items, event);
    case "effect":
      return applyEffect(timeline, event);
    case "auxiliary_call":
    case "summary":
    // The header shows the place.
    case "place":
    // The steps show which skills were read.
    case "skill_set":
      return;
  }
}

function applyEffect(
  timeline: Draft,
  { runId, payload }: Extract<EventView, { type: "effect" }>,
): void {
  const { effectId, actionId, tool, asks = [], risks } = payload;
  for (const ask of asks) setAsk(timeline.items, ask.split("\n")[0] ?? "", "used");
  if (risks) timeline.risks.set(actionId, { runId, tool, risks });
  const place = timeline.places.get(effectId);
  const known = place === undefined ? undefined : timeline.items[place];
  const unasked = unaskedItem(payload, known);
  if (unasked) put(timeline, unasked);
}

interface Said {
  readonly content: string;
  readonly split?: SplitWords | undefined;
  readonly from?: "parent" | undefined;
  readonly program?: string | undefined;
  readonly asTyped?: true | undefined;
  readonly isWaiting?: true;
}

function putWords(
  timeline: Draft,
  key: string,
  { content, split, from, program, asTyped, isWaiting }: Said,
): void {
  if (asTyped) markPutBack(timeline.items, content);
  put(timeline, {
    kind: "user",
    key,
    text: split?.words ?? content,
    ...(from === "parent" ? { isFromParent: true } : {}),
    ...omitUndefined({ program, asTyped, isWaiting, apart: split?.apart }),
  });
}

function setAsked(
  { asked }: Draft,
  id: string,
  state: string,
  kind: "approval" | "question",
): void {
  if (state === "pending") asked.set(id, kind);
  else asked.delete(id);
}

/** A child run belongs to the step that started it. */
function applyChild(
  timeline: Draft,
  payload: Extract<EventView, { type: "child_run" }>["payload"],
): void {
  const { childRunId, title, status, error, notDone = 0, outcome = null, spawnedBy } = payload;
  const child: ChildItem = {
    kind: "child",
    key: childRunId,
    runId: childRunId,
    title,
    status,
    notDone,
    outcome,
    ...omitUndefined({ error }),
  };
  const place = timeline.places.get(childRunId) ?? timeline.places.get(spawnedBy ?? "");
  const step = place === undefined ? undefined : timeline.items[place];
  if (place === undefined || step?.kind !== "tool") return put(timeline, child);
  timeline.places.set(childRunId, place);
  const others = step.children ?? [];
  timeline.items[place] = {
    ...step,
    children: others.some(({ key }) => key === childRunId)
      ? others.map((other) => (other.key === childRunId ? child : other))
      : [...others, child],
  };
}

function addUsage(
  timeline: Draft,
  payload: Extract<EventView, { type: "usage" }>["payload"],
): void {
  timeline.inputTokens += payload.inputTokens;
  timeline.outputTokens += payload.outputTokens;
  timeline.costMicrousd += payload.costMicrousd;
}

/** The first set of a run is not worth a line. */
function applyToolSet(
  timeline: Draft,
  { seq, payload }: Extract<EventView, { type: "tool_set" }>,
): void {
  const before = timeline.toolSet;
  timeline.toolSet = payload;
  if (before)
    timeline.items.push({ kind: "tools", key: String(seq), ...compareToolSets(before, payload) });
}

/** A long output is shown by the step that produced it, not as a file. */
function applyArtifact(
  timeline: Draft,
  { seq, payload }: Extract<EventView, { type: "artifact" }>,
): void {
  const { kind: fileKind, name, mediaType, digest, sizeBytes, effectId } = payload;
  if (fileKind !== keptOutputKind)
    timeline.items.push({
      kind: "file",
      key: String(seq),
      fileKind,
      name,
      mediaType,
      digest,
      sizeBytes,
      ...omitUndefined({ effectId }),
    });
}

function applyStatus(
  timeline: Draft,
  { seq, createdAt, payload: { status, retry } }: Extract<EventView, { type: "status" }>,
): void {
  const isParked = status === "awaiting_confirmation" || status === "awaiting_auth";
  const kinds = [...timeline.asked.values()];
  const asks =
    status !== "awaiting_confirmation" || kinds.includes("approval")
      ? undefined
      : kinds.length > 0
        ? ("question" as const)
        : hasChildren(timeline)
          ? ("child" as const)
          : undefined;
  if (isParked)
    timeline.items.push({
      kind: "status",
      key: String(seq),
      status,
      at: createdAt,
      ...omitUndefined({ asks }),
    });
  if (isTerminal(status)) endPlans(timeline.items);
  if (retry) timeline.items.push({ kind: "retry", key: String(seq), runId: retry.runId });
  timeline.status = status;
}

function applyTool(
  timeline: Draft,
  { createdAt, payload }: Extract<EventView, { type: "tool" }>,
): void {
  const { actionId, name } = payload;
  const place = timeline.places.get(actionId);
  const known = place === undefined ? undefined : timeline.items[place];
  const before = known?.kind === "tool" ? known : undefined;
  const input = before?.input ?? timeline.inputs.get(actionId) ?? null;
  timeline.inputs.delete(actionId);
  if (payload.phase === "start") {
    timeline.status = "executing";
    return put(timeline, {
      kind: "tool",
      key: actionId,
      tool: name,
      input,
      state: "running",
      startedAt: before?.startedAt ?? createdAt,
      ...omitUndefined({
        children: before?.children,
        about: aboutOf(timeline, input),
        risks: timeline.risks.get(actionId),
      }),
    });
  }
  const { outcome, output, error, label, reused, kept } = payload;
  // An action that ended together with its run needs no explanation.
  const notDone = error ? notDoneOf(payload) : undefined;
  // Output without a label is untrusted.
  const origin =
    output === undefined || label?.trusted === true ? undefined : (label?.origin ?? "tool");
  put(timeline, {
    kind: "tool",
    key: actionId,
    tool: name,
    input,
    state: outcome,
    startedAt: before?.startedAt ?? createdAt,
    endedAt: createdAt,
    ...omitUndefined({
      progress: before?.progress,
      children: before?.children,
      about: before?.about,
      risks: before?.risks,
      output,
    }),
    ...omitUndefined({ notDone, origin, kept }),
    ...(reused ? { isReused: true } : {}),
  });
}

/** The title of the child run that a call names. */
function aboutOf({ places, items }: Draft, input: JsonValue): string | undefined {
  const runId = isObject(input) ? input["runId"] : undefined;
  const item = typeof runId === "string" ? items[places.get(runId) ?? -1] : undefined;
  if (item?.kind === "child") return item.title;
  return item?.kind === "tool"
    ? item.children?.find((child) => child.runId === runId)?.title
    : undefined;
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function applyQuestion(
  timeline: Draft,
  { payload }: Extract<EventView, { type: "question" }>,
): void {
  setAsked(timeline, payload.questionId, payload.state, "question");
  const place = timeline.places.get(payload.questionId);
  const known = place === undefined ? undefined : timeline.items[place];
  const before = known?.kind === "question" ? known : undefined;
  put(timeline, {
    kind: "question",
    key: payload.questionId,
    state: payload.state,
    text: payload.text ?? before?.text ?? "",
    choices: payload.choices ?? before?.choices ?? [],
    ...omitUndefined({
      schema: payload.schema ?? before?.schema,
      default: payload.default ?? before?.default,
      answer: payload.split?.words ?? payload.typed ?? payload.choice,
      apart: payload.split?.apart,
    }),
  });
}

/** The tool's start precedes this event, and its end removes the wait. */
function applyClientAction(
  timeline: Draft,
  { payload }: Extract<EventView, { type: "client_action" }>,
): void {
  const place = timeline.places.get(payload.actionId);
  const item = place === undefined ? undefined : timeline.items[place];
  const { program, expiresAt: until } = payload;
  if (place === undefined || item?.kind !== "tool") return;
  if (program !== undefined && until !== undefined)
    timeline.items[place] = { ...item, client: { program, until } };
}

/** A line about a running tool is shown beside it. Warnings also get a line of their own. */
function applyLog(
  timeline: Draft,
  { seq, payload: line }: Extract<EventView, { type: "log" }>,
): void {
  // The tool item already says that it was reused.
  if ("kind" in line && line.kind === "reused") return;
  const { actionId, level } = line;
  const place = actionId === undefined ? undefined : timeline.places.get(actionId);
  const item = place === undefined ? undefined : timeline.items[place];
  const isBeside = place !== undefined && item?.kind === "tool" && item.state === "running";
  if (isBeside) timeline.items[place] = { ...item, progress: line };
  if (!isBeside || level !== "info") timeline.items.push({ kind: "line", key: String(seq), line });
}

/** Replaces the item with the same key, or appends it. */
function put(timeline: Draft, item: Item): void {
  const place = timeline.places.get(item.key);
  if (place === undefined) timeline.places.set(item.key, timeline.items.push(item) - 1);
  else timeline.items[place] = item;
}
