import type { CardKind } from "./cards.ts";
import type { ErrorCode } from "./errors.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ActionOutcome, EffectState, RunStatus } from "./states.ts";
import type { Label, Risk } from "./trust.ts";

/**
 * The log of a run. Entries are numbered by `seq` from 1 without gaps, and seq order is commit order.
 * The first seven types are what people watch; the others are what the loop needs to go on after a crash.
 */
export interface EventPayloads {
  /** `activeMs`, the active time of the run so far, stands where a segment ends; `parentRunId` at the beginning of a part of another task; `notDone`, how many changes it was to make and did not, where it ends. */
  status: {
    status: RunStatus;
    code?: ErrorCode;
    message?: string;
    activeMs?: number;
    retry?: RetryOf;
    parentRunId?: string;
    notDone?: number;
  };
  log: { level: "info" | "warn" | "error"; message: string; actionId?: string };
  message: UserMessage | AssistantMessage;
  tool: ToolStart | ToolEnd;
  ui: { kind: CardKind; payload: JsonObject };
  artifact: {
    artifactId: string;
    kind: string;
    name: string;
    mediaType: string;
    digest: string;
    sizeBytes: number;
  };
  child_run: ChildRun;

  step: StepStart | StepEnd;
  usage: UsagePayload;
  effect: EffectPayload;
  approval: ApprovalPayload;
  /** An action cannot go on without an account; or, written by whoever connected it, it can. */
  auth:
    | { state: "needed"; provider: string; reason: string; actionId: string }
    | { state: "connected"; provider: string };
  /** Written by whoever asks for it, without the lease. Nothing begins after it. */
  cancel: { by: string; reason?: string };
}

/** The kind of an artifact that the owner attached: the model is told of it. */
export const uploadKind = "upload";

export type EventType = keyof EventPayloads;

export type NewEvent = {
  [T in EventType]: { readonly type: T; readonly payload: EventPayloads[T] };
}[EventType];

export type RunEvent = NewEvent & {
  readonly runId: string;
  readonly seq: number;
  readonly createdAt: string;
};

export interface UserMessage {
  role: "user";
  content: string;
  /** Not the owner's own words: the run that this one is a part of wrote it. */
  from?: "parent";
  /** With `from`: written with nothing but the owner's words in view. */
  trusted?: boolean;
}

/** What becomes of a part of a task: `fail_fast` ends the whole with it. */
export const failureModes = ["best_effort", "fail_fast"] as const;
export type FailureMode = (typeof failureModes)[number];

/** A part of the task that was handed to a run of its own: that it began, that an action waits for it, how it ended. */
export interface ChildRun {
  childRunId: string;
  title: string;
  status: RunStatus;
  error?: { code: ErrorCode; message: string };
  /** With its end: changes that it was to make and did not. */
  notDone?: number;
  /** With the first word on it: the action that handed it over. */
  spawnedBy?: string;
  /** With the first word on it. */
  failureMode?: FailureMode;
  /** With the first word on it: the part that failed, and that this one tries in another way. */
  insteadOf?: string;
  /** The action that waits for its end. */
  actionId?: string;
}

export interface AssistantMessage {
  role: "assistant";
  content: string;
  step: number;
  /** The answer that ends the run; it becomes part of the thread. */
  final: boolean;
  /** What the model must get back unchanged, signatures included. Never shown to a browser. */
  parts: AssistantPart[];
  /** Written with nothing but the owner's words in view. */
  trusted?: boolean;
}

export type ProviderData = { [provider: string]: JsonObject };

export type AssistantPart =
  | { type: "text"; text: string; provider?: ProviderData }
  | { type: "reasoning"; text: string; provider?: ProviderData }
  /** What is called stands in the step's end, in the same append. */
  | { type: "call"; callId: string; provider?: ProviderData };

/** The mark of a model call: it stands in the log before the request leaves. */
export interface StepStart {
  phase: "start";
  step: number;
  attempt: number;
  model: string;
  /** Upper bound of what this call can cost; charged in full if its end is never seen. */
  reservedMicrousd: number;
  /** Active time of the run so far. */
  activeMs: number;
}

export interface StepEnd {
  phase: "end";
  step: number;
  attempt: number;
  finish: string;
  calls: PlannedCall[];
}

export interface PlannedCall {
  actionId: string;
  callId: string;
  tool: string;
  input: JsonValue;
}

export interface UsagePayload {
  step: number;
  attempt: number;
  model: string;
  /** `settled` at the price of what was used; `failed` before anything was used; `lost` when nobody can know: charged in full. */
  outcome: "settled" | "failed" | "lost";
  inputTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  costMicrousd: number;
  error?: { code: ErrorCode; message: string };
  /** A failed attempt that will be made again, not before this time (database clock, epoch milliseconds). */
  retryAt?: number;
  /** Lost because its worker could not renew its lease in time, and not because it died: it does not count as a failure. */
  interrupted?: true;
}

/** With the first status of a run that tries another one again. */
export interface RetryOf {
  runId: string;
  /** Actions of it, or of those that it tried again, of which the owner has found out that they did not happen. */
  notDone: string[];
}

export interface ToolStart {
  phase: "start";
  actionId: string;
  name: string;
  attempt: number;
}

export interface ToolEnd {
  phase: "end";
  actionId: string;
  name: string;
  outcome: ActionOutcome;
  output?: JsonValue;
  error?: { code: ErrorCode; message: string };
  /** Not done in this run: what the same call gave in the run that it tries again. */
  reused?: { runId: string; actionId: string };
  /** A change that failed before it could be proposed: there is no effect that would say so. */
  unproposed?: true;
  /** Of what it returned; absent in logs from before there were labels, which counts as untrusted. */
  label?: Label;
}

export interface EffectPayload {
  effectId: string;
  actionId: string;
  tool: string;
  state: EffectState;
  digest: string;
  /** With `awaiting_confirmation` and `proposed`: exactly what would be done. */
  prepared?: JsonValue;
  /** Of `prepared`, as the tool numbers it. Absent in logs from before forms had versions. */
  formVersion?: number;
  preview?: string;
  reasons?: string[];
  /** What the owner typed into the approvals in which it was edited: trusted, for this effect only. */
  typed?: string;
  /** With `attempting`. The deadline counts from this event's createdAt. */
  attempt?: number;
  deadlineMs?: number;
  /** With `attempting`: the mark of a look into an unclear attempt, counted from 1. Written before the look begins. */
  look?: number;
  /** With `attempting`, while an unclear attempt is looked into: what a later look needs to know if this one is interrupted. */
  evidence?: JsonValue;
  outcome?: JsonValue;
  error?: { code: ErrorCode; message: string };
  /** An attempt that provably changed nothing and will be made again, not before this time (database clock). */
  retryAt?: number;
}

export interface ApprovalPayload {
  approvalId: string;
  actionId: string;
  effectId: string;
  tool: string;
  digest: string;
  state: "requested" | "approved" | "denied" | "expired" | "superseded" | "canceled";
  reason?: string;
  preview?: string;
  expiresAt?: string;
  by?: string;
  /** With `requested`. */
  risks?: Risk[];
  /** With `requested`, after an edit: what the owner changed. */
  difference?: FieldDiff[];
  /** With `superseded`, by the owner's hand: the fields that they changed. The tool prepares it anew with these. */
  edit?: JsonObject;
  /** With `denied`: what the owner said instead. It enters the run as their own words. */
  answer?: string;
  /** With `approved`: it begins no earlier, and can be taken back until then (epoch milliseconds, database clock). */
  undoUntil?: number;
  /** With `denied`: it had been approved, and was taken back in time. */
  undone?: boolean;
}

/** One field of what was to be done, before an edit and after it. */
export interface FieldDiff {
  field: string;
  before: string;
  after: string;
}

/** Logs with a higher version are left to workers that understand them. */
export const logVersion = 5;
