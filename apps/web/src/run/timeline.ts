import {
  applyToApprovals,
  compareToolSets,
  isTerminal,
  keptOutputKind,
  noApprovals,
  notDoneOf,
  omitUndefined,
  webStatusOf,
  type ApprovalsInLog,
  type Card,
  type EventView,
  type Failure,
  type JsonValue,
  type KeptOutput,
  type LogLine,
  type NotDone,
  type Origin,
  type AnswerSchema,
  type QuestionState,
  type RunStatus,
  type ToolSetDiff,
  type ToolSetPayload,
} from "@bron/protocol";
import { shown } from "./shown.ts";

/** One entry of the timeline of a run. */
export type Item =
  | {
      readonly kind: "user";
      readonly key: string;
      readonly text: string;
      readonly isFromParent?: true;
      /** Bron has not heard it yet, because a step is under way. */
      readonly isWaiting?: true;
    }
  | {
      readonly kind: "answer";
      readonly key: string;
      readonly text: string;
      readonly isFinal: boolean;
    }
  | ToolItem
  | { readonly kind: "card"; readonly key: string; readonly card: Card }
  | {
      readonly kind: "line";
      readonly key: string;
      readonly line: LogLine;
    }
  /** The run is waiting for the owner. */
  | {
      readonly kind: "status";
      readonly key: string;
      readonly status: RunStatus;
      /** It waits for an answer, not for a decision. */
      readonly isQuestion?: true;
      readonly at: string;
    }
  | QuestionItem
  | { readonly kind: "connected"; readonly key: string; readonly provider: string }
  | ({ readonly kind: "tools"; readonly key: string } & ToolSetDiff)
  | { readonly kind: "retry"; readonly key: string; readonly runId: string }
  | {
      readonly kind: "child";
      readonly key: string;
      readonly runId: string;
      readonly title: string;
      readonly status: RunStatus;
      readonly error?: Failure;
    }
  | {
      readonly kind: "file";
      readonly key: string;
      readonly name: string;
      readonly digest: string;
      readonly sizeBytes: number;
    };

export interface ToolItem {
  readonly kind: "tool";
  readonly key: string;
  readonly tool: string;
  readonly input: JsonValue;
  readonly state: ToolState;
  readonly startedAt: string;
  readonly endedAt?: string;
  readonly output?: JsonValue;
  readonly notDone?: NotDone;
  /** The latest line of the log about this call. */
  readonly progress?: LogLine;
  /** Where the output came from. Absent if it is trusted. */
  readonly origin?: Origin;
  readonly isReused?: boolean;
  /** The program that is to carry it out, and until when. */
  readonly client?: { readonly program: string; readonly until: string };
  /** The whole output, if `output` is only a preview of it. */
  readonly kept?: KeptOutput;
}

export interface QuestionItem {
  readonly kind: "question";
  readonly key: string;
  readonly state: QuestionState;
  readonly text: string;
  readonly choices: readonly string[];
  readonly schema?: AnswerSchema;
  readonly default?: string;
  /** What the owner typed or chose. */
  readonly answer?: string;
}

export type ToolState = "running" | "completed" | "failed" | "rejected" | "canceled" | "unknown";

export interface Timeline {
  readonly items: readonly Item[];
  readonly status: RunStatus;
  readonly seq: number;
  /** The number of requested changes that were not made. */
  readonly notDone: number;
  readonly cancelRequested: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicrousd: number;
  /** The last finished step. Partial text of this step or earlier is obsolete. */
  readonly endedStep: number;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Indexes of the items of actions and child runs. */
  readonly places: ReadonlyMap<string, number>;
  readonly approvalsInLog: ApprovalsInLog;
  /** The tools that the model is offered. */
  readonly toolSet: ToolSetPayload | undefined;
  /** Inputs of tool calls that have not started, by action. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
}

export const emptyTimeline: Timeline = {
  items: [],
  status: "queued",
  seq: 0,
  notDone: 0,
  cancelRequested: false,
  inputTokens: 0,
  outputTokens: 0,
  costMicrousd: 0,
  endedStep: 0,
  startedAt: undefined,
  endedAt: undefined,
  places: new Map(),
  approvalsInLog: noApprovals,
  toolSet: undefined,
  inputs: new Map(),
};

export function isRunning(timeline: Timeline): boolean {
  return webStatusOf[timeline.status] === "running" || timeline.status === "queued";
}

type Draft = { -readonly [K in keyof Timeline]: Timeline[K] } & {
  readonly items: Item[];
  readonly places: Map<string, number>;
  readonly inputs: Map<string, JsonValue>;
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
    inputs: new Map(timeline.inputs),
  };
  for (const event of events) {
    if (event.seq <= next.seq) continue;
    next.seq = event.seq;
    next.startedAt ??= event.createdAt;
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
        put(timeline, {
          kind: "user",
          key: event.payload.messageId ?? key,
          text: event.payload.content,
          ...(event.payload.from === "parent" ? { isFromParent: true } : {}),
        });
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
      return applyTool(timeline, event);
    case "ui":
      if (isPlainSuccess(event.payload as Card)) return undefined;
      return void timeline.items.push({ kind: "card", key, card: event.payload as Card });
    case "log":
      return applyLog(timeline, event);
    case "artifact":
      return applyArtifact(timeline, event);
    case "child_run": {
      const { childRunId, title, status, error } = event.payload;
      return put(timeline, {
        kind: "child",
        key: childRunId,
        runId: childRunId,
        title,
        status,
        ...(error ? { error } : {}),
      });
    }
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
      return put(timeline, {
        kind: "user",
        key: event.payload.messageId,
        text: event.payload.content,
        isWaiting: true,
      });
    case "question":
      return applyQuestion(timeline, event);
    case "client_action":
      return applyClientAction(timeline, event);
    case "approval":
    case "auxiliary_call":
    case "effect":
    // The header shows the place.
    case "place":
      return;
  }
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

/** The step that produced a long output shows it, so it is no file of its own. */
function applyArtifact(
  timeline: Draft,
  { seq, payload: { kind, name, digest, sizeBytes } }: Extract<EventView, { type: "artifact" }>,
): void {
  if (kind !== keptOutputKind)
    timeline.items.push({ kind: "file", key: String(seq), name, digest, sizeBytes });
}

function applyStatus(
  timeline: Draft,
  { seq, createdAt, payload: { status, retry, notDone } }: Extract<EventView, { type: "status" }>,
): void {
  const isParked = status === "awaiting_confirmation" || status === "awaiting_auth";
  const isQuestion =
    status === "awaiting_confirmation" &&
    timeline.items.some((item) => item.kind === "question" && item.state === "pending");
  if (isParked)
    timeline.items.push({
      kind: "status",
      key: String(seq),
      status,
      at: createdAt,
      ...(isQuestion ? { isQuestion } : {}),
    });
  if (isTerminal(status)) timeline.endedAt = createdAt;
  if (retry) timeline.items.push({ kind: "retry", key: String(seq), runId: retry.runId });
  if (notDone !== undefined) timeline.notDone = notDone;
  timeline.status = status;
}

/** Whether the summary says no more than that the run is done, which the page's header shows. */
function isPlainSuccess({ kind, payload }: Card): boolean {
  return (
    kind === "RunSummaryCard" &&
    "did" in payload &&
    payload.outcome === "succeeded" &&
    payload.did.length + payload.notDone.length + (payload.unfinished?.length ?? 0) === 0
  );
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
      output,
    }),
    ...omitUndefined({ notDone, origin, kept }),
    ...(reused ? { isReused: true } : {}),
  });
}

function applyQuestion(
  timeline: Draft,
  { payload }: Extract<EventView, { type: "question" }>,
): void {
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
      answer: payload.typed ?? payload.choice,
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
