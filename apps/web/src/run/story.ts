import {
  omitUndefined,
  webStatusOf,
  type Card,
  type EventView,
  type JsonValue,
  type Origin,
  type RunStatus,
} from "@bron/protocol";
import { shown } from "./shown.ts";

/** A run as a person reads it: one item for each thing that happened, in order. */
export type Item =
  | {
      readonly kind: "user";
      readonly key: string;
      readonly text: string;
      readonly isHandedOver?: true;
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
      readonly text: string;
      readonly level: "info" | "warn" | "error";
    }
  /** It began to wait for somebody, or went on. */
  | {
      readonly kind: "status";
      readonly key: string;
      readonly status: RunStatus;
      readonly at: string;
    }
  | { readonly kind: "connected"; readonly key: string; readonly provider: string }
  | { readonly kind: "retry"; readonly key: string; readonly runId: string }
  | {
      readonly kind: "child";
      readonly key: string;
      readonly runId: string;
      readonly title: string;
      readonly status: RunStatus;
      readonly error?: string;
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
  readonly error?: string;
  /** What it said of itself last. */
  readonly progress?: string;
  /** Of what others wrote; absent for what only the owner or Bron could. */
  readonly origin?: Origin;
  readonly isReused?: boolean;
}

export type ToolState = "running" | "completed" | "failed" | "rejected" | "canceled" | "unknown";

export interface Story {
  readonly items: readonly Item[];
  readonly status: RunStatus;
  readonly seq: number;
  /** Changes that it was to make and did not. */
  readonly notDone: number;
  readonly cancelRequested: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicrousd: number;
  /** The last step whose end is known: what is said of it in progress is over. */
  readonly endedStep: number;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  /** Where the items of actions and child runs are. */
  readonly places: ReadonlyMap<string, number>;
  /** What tools are to be asked that have not begun, by action. */
  readonly inputs: ReadonlyMap<string, JsonValue>;
}

export const emptyStory: Story = {
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
  inputs: new Map(),
};

export function isRunning(story: Story): boolean {
  return webStatusOf[story.status] === "running" || story.status === "queued";
}

type Telling = { -readonly [K in keyof Story]: Story[K] } & {
  readonly items: Item[];
  readonly places: Map<string, number>;
  readonly inputs: Map<string, JsonValue>;
};

/** The next events, one copy for all that came together; one that is known already changes nothing. */
export function tell(story: Story, events: readonly EventView[]): Story {
  const next: Telling = {
    ...story,
    items: [...story.items],
    places: new Map(story.places),
    inputs: new Map(story.inputs),
  };
  for (const event of events) {
    if (event.seq <= next.seq) continue;
    next.seq = event.seq;
    next.startedAt ??= event.createdAt;
    // Here and nowhere else, so that no part of the page can forget it.
    tellOne(next, shown(event));
  }
  return next.seq === story.seq ? story : next;
}

function tellOne(story: Telling, event: EventView): void {
  const key = String(event.seq);
  switch (event.type) {
    case "status":
      return tellStatus(story, event);
    case "message":
      if (event.payload.role === "user")
        story.items.push({
          kind: "user",
          key,
          text: event.payload.content,
          ...(event.payload.from === "parent" ? { isHandedOver: true } : {}),
        });
      else if (event.payload.content !== "")
        story.items.push({
          kind: "answer",
          key,
          text: event.payload.content,
          isFinal: event.payload.final,
        });
      return;
    case "step":
      if (event.payload.phase === "start") return void (story.status = "planning");
      story.endedStep = event.payload.step;
      for (const { actionId, input } of event.payload.calls) story.inputs.set(actionId, input);
      return;
    case "tool":
      return tellTool(story, event);
    case "ui":
      return void story.items.push({ kind: "card", key, card: event.payload as Card });
    case "log":
      return tellLog(story, event);
    case "artifact":
      return void story.items.push({
        kind: "file",
        key,
        name: event.payload.name,
        digest: event.payload.digest,
        sizeBytes: event.payload.sizeBytes,
      });
    case "child_run": {
      const { childRunId, title, status, error } = event.payload;
      return put(story, {
        kind: "child",
        key: childRunId,
        runId: childRunId,
        title,
        status,
        ...(error ? { error: error.message } : {}),
      });
    }
    case "usage":
      story.inputTokens += event.payload.inputTokens;
      story.outputTokens += event.payload.outputTokens;
      story.costMicrousd += event.payload.costMicrousd;
      return;
    case "auth":
      if (event.payload.state === "connected")
        story.items.push({ kind: "connected", key, provider: event.payload.provider });
      return;
    case "cancel":
      story.cancelRequested = true;
      return;
    case "approval":
    case "effect":
      return;
  }
}

function tellStatus(
  story: Telling,
  { seq, createdAt, payload: { status, retry, notDone } }: Extract<EventView, { type: "status" }>,
): void {
  const isParked = status === "awaiting_confirmation" || status === "awaiting_auth";
  if (isParked) story.items.push({ kind: "status", key: String(seq), status, at: createdAt });
  if (status === "completed" || status === "failed" || status === "canceled")
    story.endedAt = createdAt;
  if (retry) story.items.push({ kind: "retry", key: String(seq), runId: retry.runId });
  if (notDone !== undefined) story.notDone = notDone;
  story.status = status;
}

function tellTool(
  story: Telling,
  { createdAt, payload }: Extract<EventView, { type: "tool" }>,
): void {
  const { actionId, name } = payload;
  const place = story.places.get(actionId);
  const known = place === undefined ? undefined : story.items[place];
  const before = known?.kind === "tool" ? known : undefined;
  const input = before?.input ?? story.inputs.get(actionId) ?? null;
  story.inputs.delete(actionId);
  if (payload.phase === "start") {
    story.status = "executing";
    return put(story, {
      kind: "tool",
      key: actionId,
      tool: name,
      input,
      state: "running",
      startedAt: before?.startedAt ?? createdAt,
    });
  }
  const { outcome, output, error, label, reused } = payload;
  // Without a label nobody knows who wrote it.
  const origin =
    output === undefined || label?.trusted === true ? undefined : (label?.origin ?? "tool");
  put(story, {
    kind: "tool",
    key: actionId,
    tool: name,
    input,
    state: outcome,
    startedAt: before?.startedAt ?? createdAt,
    endedAt: createdAt,
    ...omitUndefined({
      progress: before?.progress === undefined ? undefined : before.progress,
      output,
    }),
    ...(error ? { error: error.message } : {}),
    ...omitUndefined({ origin }),
    ...(reused ? { isReused: true } : {}),
  });
}

/** What a tool says while it runs stands beside it; a warning stands for itself too. */
function tellLog(
  story: Telling,
  { seq, payload: { message, level, actionId } }: Extract<EventView, { type: "log" }>,
): void {
  // Its call is marked as reused.
  if (actionId !== undefined && message.startsWith("Reused from run ")) return;
  const place = actionId === undefined ? undefined : story.places.get(actionId);
  const item = place === undefined ? undefined : story.items[place];
  const isBeside = place !== undefined && item?.kind === "tool" && item.state === "running";
  if (isBeside) story.items[place] = { ...item, progress: message };
  if (!isBeside || level !== "info")
    story.items.push({ kind: "line", key: String(seq), text: message, level });
}

/** In its place if it has one, at the end otherwise. */
function put(story: Telling, item: Item): void {
  const place = story.places.get(item.key);
  if (place === undefined) story.places.set(item.key, story.items.push(item) - 1);
  else story.items[place] = item;
}
