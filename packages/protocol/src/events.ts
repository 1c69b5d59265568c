import type { ActionError } from "./action-failure.ts";
import type { AuthReason } from "./auth-reason.ts";
import type { CardKind } from "./cards.ts";
import type { ClientActionState, ExpiryMeaning } from "./client-action.ts";
import type { ErrorCode } from "./errors.ts";
import type { Failure, FailureReason } from "./failure.ts";
import type { IntentPayload } from "./intent.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { KeptOutput } from "./kept-output.ts";
import type { LogLine } from "./log-line.ts";
import type { NotDone } from "./not-done.ts";
import type { Place } from "./place.ts";
import type { PolicyReason } from "./policy-reason.ts";
import type { AnswerSchema, QuestionState } from "./question.ts";
import type { RunOutcome } from "./run-outcome.ts";
import type { RunResult } from "./run-result.ts";
import type { ActionOutcome, EffectState, RunStatus } from "./states.ts";
import type { EffectGroup, Label, Origin, Risk } from "./trust.ts";
import type { Writer, WrittenThings } from "./written-things.ts";

/**
 * The log of a run. Entries are numbered by `seq` from 1 without gaps, and seq order is commit
 * order. The first seven types are shown to people. The loop needs the others to resume after a
 * crash.
 */
export interface EventPayloads {
  /**
   * `activeMs` is the active time of the run so far. It is set where a segment ends. `parentRunId`
   * is set on the first status of a child run. `model` is the model that was chosen for the run,
   * on the first status. The last status has the result of the run.
   */
  status: {
    status: RunStatus;
    code?: ErrorCode;
    /** Why the run failed. */
    why?: FailureReason;
    /** Text that Bron did not choose. In logs before version 6: why the run failed. */
    message?: string;
    activeMs?: number;
    retry?: RetryOf;
    parentRunId?: string;
    model?: string;
    /** On the first status of a child run: the names of the parent's tools. It gets no others. */
    allowedTools?: string[];
    /** On the first status of a run that is not a task. See `runKinds`. */
    kind?: "upkeep";
  } & Partial<RunResult>;
  log: LogLine;
  message: UserMessage | AssistantMessage;
  tool: ToolStart | ToolEnd;
  ui: { kind: CardKind; payload: JsonObject };
  /** `effectId` is set on a text that this effect replaced. The owner can restore it. */
  artifact: {
    artifactId: string;
    kind: string;
    name: string;
    mediaType: string;
    digest: string;
    sizeBytes: number;
    effectId?: string;
  };
  child_run: ChildRun;

  tool_set: ToolSetPayload;
  skill_set: SkillSetPayload;
  step: StepStart | StepEnd;
  usage: UsagePayload;
  effect: EffectPayload;
  approval: ApprovalPayload;
  /**
   * `needed`: an action waits for an account. `connected`: the account is available. The process
   * that connected the account writes it. `reason` is text of a tool that gives no `why`, and of
   * logs before version 7.
   */
  auth:
    | { state: "needed"; provider: string; why?: AuthReason; reason?: string; actionId: string }
    | { state: "connected"; provider: string };
  /**
   * Written by the process that received the request, without the lease. Nothing starts after it.
   * The reason is the owner's. `parent_ended`: the owner did not ask, and the parent run has ended.
   */
  cancel: { by: string; reason?: string; cause?: "parent_ended" };
  /**
   * What the owner says to a run under way. Written by the process that received it, without the
   * lease. It becomes a message as soon as all open calls have results.
   */
  owner_message: {
    messageId: string;
    content: string;
    context?: readonly string[];
    program?: string;
    asTyped?: true;
    by: string;
  };
  question: QuestionPayload;
  client_action: ClientActionPayload;
  auxiliary_call: AuxiliaryCallStart | InvalidOutput | AuxiliaryCallEnd;
  /**
   * Where the run must be advanced. Null: anywhere. `by` is set if the owner moved it. Then the
   * process that received the request wrote it, without the lease.
   */
  place: { place: Place | null; by?: string };
  intent: IntentPayload;
  summary: SummaryPayload;
}

/**
 * A text that a model wrote in place of a longer one.
 *
 * - `memory`: what Bron remembers about the owner. Written by an upkeep run, from the owner's words
 *   and the summary of this version.
 * - `conversation`: the messages of the conversation up to this one.
 * - `run`: the first messages of this run, in case it does not reach its end.
 *
 * The last two carry the joined labels of what they cover.
 */
export type SummaryPayload =
  | { of: "memory"; text: string; version: number }
  | { of: "conversation"; text: string; upTo: string; trusted: boolean }
  | { of: "run"; text: string; messages: number; trusted: boolean; origins: Origin[] };

/**
 * The kind of an artifact that the owner attached. The prompt lists these artifacts for the model.
 */
export const uploadKind = "upload";

/** The kind of an artifact that an effect replaced. */
export const previousVersionKind = "previous_version";

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
  /** Texts that came with the message and are not the owner's words. See `contextSchema`. */
  context?: readonly string[];
  /** The parent run wrote this message, not the owner. */
  from?: "parent";
  /** The owner's message to the run under way that this is. */
  messageId?: string;
  /**
   * The name of the program that sent it with a token that does not speak for the owner. The text is
   * not the owner's: it is untrusted and private, asks for nothing and names no one.
   */
  program?: string;
  /**
   * The owner said that all of it is theirs, so no part of it counts as pasted.
   */
  asTyped?: true;
  /** With `from`: the parent wrote it while only the owner's words were in its context. */
  trusted?: boolean;
}

/** How a failed child run affects its parent. `fail_fast` fails the parent too. */
export const failureModes = ["best_effort", "fail_fast"] as const;
export type FailureMode = (typeof failureModes)[number];

/**
 * An entry about a child run in the log of its parent: it started, an action waits for it, or it
 * ended.
 */
export interface ChildRun {
  childRunId: string;
  title: string;
  status: RunStatus;
  error?: Failure;
  /** On the last entry: the number of requested changes that the child run did not make. */
  notDone?: number;
  /** On the last entry: how it went. Absent in logs that were written before outcomes existed. */
  outcome?: RunOutcome;
  /** On the first entry: the action that started the child run. */
  spawnedBy?: string;
  /** On the first entry. */
  failureMode?: FailureMode;
  /** On the first entry: the failed child run that this one replaces. */
  insteadOf?: string;
  /** The action that waits for the child run to end. */
  actionId?: string;
}

export interface AssistantMessage {
  role: "assistant";
  content: string;
  step: number;
  /** True for the message that ends the run. It becomes part of the thread. */
  final: boolean;
  /** What the model must get back unchanged, including signatures. Never sent to a browser. */
  parts: AssistantPart[];
  /** Written while only the owner's words were in the context. */
  trusted?: boolean;
}

export type ProviderData = { [provider: string]: JsonObject };

export type AssistantPart =
  | { type: "text"; text: string; provider?: ProviderData }
  | { type: "reasoning"; text: string; provider?: ProviderData }
  /** The tool and its input are in the end of the step, which is in the same append. */
  | { type: "call"; callId: string; provider?: ProviderData };

/**
 * The tools that the model is offered from the next start of a step on. Written in the append of
 * that start, if the tools are not those of the last such event.
 */
export interface ToolSetPayload {
  /** The digest of each tool's definition, by name. */
  tools: { [name: string]: string };
  /**
   * The names that the model sees, for tools whose own name not every provider accepts. An alias
   * keeps its meaning until the run ends.
   */
  aliases?: { [name: string]: string };
}

/**
 * The skills that the run can read, by name. Written in the append of the first start of a step, so
 * that the run keeps these versions, whatever becomes of the skills.
 */
interface SkillSetPayload {
  skills: { [name: string]: PinnedSkill };
}

export interface PinnedSkill {
  digest: string;
  /** Once the run has read the skill, it has only these of its tools. */
  allowedTools?: readonly string[];
}

/** Marks the start of a model call. It is committed before the request is sent. */
export interface StepStart {
  phase: "start";
  step: number;
  attempt: number;
  model: string;
  /** The upper bound of the cost of this call. It is charged in full if no end is recorded. */
  reservedMicrousd: number;
  /**
   * SHA-256 of what is sent: messages, tool declarations and output limit. Requests with the same
   * digest are equal. Absent in logs before version 7.
   */
  requestDigest?: string;
  /**
   * Digests of the attached files whose content the request contains. From here on the run has read
   * untrusted text.
   */
  files?: string[];
  /** The active time of the run so far. */
  activeMs: number;
}

/**
 * Marks the start of a model call that is not a step: Bron asks a model something about the run. It
 * is committed before the request is sent.
 */
interface AuxiliaryCallStart {
  phase: "start";
  callId: string;
  /** What the output is for. A run keeps one result for each purpose. */
  purpose: string;
  attempt: number;
  model: string;
  /** The upper bound of the cost of this attempt. It is charged in full if no usage is recorded. */
  reservedMicrousd: number;
  requestDigest: string;
  /** The active time of the run so far. */
  activeMs: number;
}

/** The output does not match the schema. The next attempt, the last one, shows it to the model. */
interface InvalidOutput {
  phase: "invalid";
  callId: string;
  purpose: string;
  attempt: number;
  model: string;
  /** What the model wrote, cut to its first characters. */
  text: string;
  problem: string;
}

/** The result of an auxiliary call. Each call has exactly one. */
export interface AuxiliaryCallEnd {
  phase: "end";
  callId: string;
  purpose: string;
  /** It matches the schema. */
  output?: JsonValue;
  /** Why there is no output. */
  error?: Failure;
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
  /** The step, or the number of steps before an auxiliary call. */
  step: number;
  /** Set if this is the usage of an auxiliary call. */
  auxiliaryCallId?: string;
  attempt: number;
  model: string;
  /**
   * `settled`: charged for what was used. `failed`: nothing was used. `lost`: the usage is unknown,
   * so the reserved cost is charged in full.
   */
  outcome: "settled" | "failed" | "lost";
  inputTokens: number;
  /** The part of `inputTokens` that came from the provider's cache. Absent if there is none. */
  cachedInputTokens?: number;
  outputTokens: number;
  reasoningTokens: number;
  costMicrousd: number;
  error?: Failure;
  /**
   * This failed attempt will be retried, but not before this time (database clock, epoch
   * milliseconds).
   */
  retryAt?: number;
  /**
   * With `retryAt`: the next attempt uses this model, because the one of this attempt is
   * unavailable. Otherwise it uses the same model.
   */
  nextModel?: string;
  /**
   * With `retryAt`: the model refused a request with the content of files. From the next attempt on,
   * requests have none.
   */
  withoutFiles?: true;
  /**
   * The call was lost because its worker could not renew its lease in time. It does not count as a
   * failure, because the worker did not crash.
   */
  interrupted?: true;
}

/** On the first status of a run that retries another run. */
export interface RetryOf {
  runId: string;
  /**
   * Actions of the retried run, or of the runs it retried in turn, that the owner found not to have
   * happened.
   */
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
  error?: ActionError;
  /**
   * Why the action was not completed, for people. Absent if the tool failed, because the error says
   * why, and in logs before version 6.
   */
  notDone?: NotDone;
  /**
   * The action was not executed in this run. Its result comes from the same call in the retried
   * run.
   */
  reused?: { runId: string; actionId: string };
  /**
   * The change failed before it could be proposed, so there is no effect that records the failure.
   */
  unproposed?: true;
  /**
   * Names the kind of effect and its targets. The model was asked to leave out of the text what the
   * owner did not mention, which happens once for each in a run.
   */
  rewriteKey?: string;
  /** Set if the output is a preview of a longer one. */
  kept?: KeptOutput;
  /**
   * The label of the output. Absent if the tool declares none, and in logs that were written before
   * labels existed. Such an output is untrusted and private.
   */
  label?: Label;
}

/** What a tool read to prepare an effect, such as the draft that it sends. */
export interface FormReads {
  results: { label: Label; value: JsonValue }[];
  /** The runs that wrote what it read. */
  writers: Writer[];
}

export interface EffectPayload {
  effectId: string;
  actionId: string;
  tool: string;
  state: EffectState;
  digest: string;
  /** With `awaiting_confirmation` and `proposed`: exactly what the tool would do. */
  prepared?: JsonValue;
  /**
   * The tool's version number of the form of `prepared`. Absent in logs that were written before
   * forms had versions.
   */
  formVersion?: number;
  preview?: string;
  reasons?: PolicyReason[];
  /** Keys of the owner's requests that it uses. See `intent`. */
  asks?: string[];
  /** What the owner typed when editing the approvals. It is trusted for this effect only. */
  typed?: string;
  /** With `approved` and `prepared`: risks that the owner is shown but not asked about. */
  risks?: Risk[];
  /** With `prepared`: what the tool read to prepare it. The model has not seen it. */
  reads?: FormReads;
  /**
   * With `approved` and `prepared`: the owner is not asked. The effect starts no earlier, and the
   * owner can undo it until then (epoch milliseconds, database clock).
   */
  undoUntil?: number;
  /** With `rejected`: the owner undid it in time. Written by the process that received the request. */
  undone?: true;
  by?: string;
  /** With `attempting`. The deadline counts from this event's createdAt. */
  attempt?: number;
  deadlineMs?: number;
  /**
   * With `attempting`: marks a check of an attempt whose outcome is unclear, counted from 1. It is
   * committed before the check starts.
   */
  look?: number;
  /**
   * With `attempting`, while an unclear attempt is checked: what a later check needs to know if
   * this one is interrupted.
   */
  evidence?: JsonValue;
  outcome?: JsonValue;
  /** With `done`: what it wrote, and what the run had read by then. */
  wrote?: WrittenThings;
  error?: ActionError;
  /**
   * This attempt provably changed nothing. It will be retried, but not before this time (database
   * clock).
   */
  retryAt?: number;
}

/** `used` is not among them, because the effect's attempt says it. */
export const loggedApprovalStates = [
  "pending",
  "approved",
  "denied",
  "expired",
  "superseded",
  "canceled",
] as const;

export interface ApprovalPayload {
  approvalId: string;
  actionId: string;
  effectId: string;
  tool: string;
  digest: string;
  state: (typeof loggedApprovalStates)[number];
  /** With `pending`: why the owner is asked. */
  reasons?: PolicyReason[];
  /** With a decision: why the owner decided so. */
  reason?: string;
  preview?: string;
  expiresAt?: string;
  by?: string;
  /** With `pending`: the kind of the effect. Absent in logs that were written before it was known. */
  kind?: EffectGroup;
  /** With `pending`. */
  risks?: Risk[];
  /** With `pending`, after an edit: what the owner changed. */
  diff?: FieldDiff[];
  /**
   * With `superseded`, if the owner edited it: the changed fields. The tool prepares a new form
   * from them.
   */
  edit?: JsonObject;
  /** With `denied`: the owner's reply. It enters the run as a message of the owner. */
  reply?: string;
  /** With `reply`: texts that came with it. */
  context?: readonly string[];
  /** With `reply` or `edit`: see `UserMessage`. */
  program?: string;
  /**
   * With `approved`: the effect starts no earlier, and the owner can undo the approval until then
   * (epoch milliseconds, database clock).
   */
  undoUntil?: number;
  /** With `denied`: the owner undid an approval in time. */
  undone?: boolean;
  /**
   * With `denied`: the run waits, and the owner can undo the denial until then (epoch milliseconds,
   * database clock).
   */
  reopenUntil?: number;
  /** With `pending`: the owner undid a denial in time. The approval is as it was before. */
  reopened?: boolean;
}

export interface QuestionPayload {
  questionId: string;
  actionId: string;
  state: QuestionState;
  /** With `pending`: what the model asks. */
  text?: string;
  choices?: string[];
  /** With `pending`: what a typed answer must be. */
  schema?: AnswerSchema;
  /** With `pending`: the answer that counts if none comes in time. */
  default?: string;
  expiresAt?: string;
  /** With `pending`: the call of the action goes on meanwhile, and gets the answer. */
  duringCall?: true;
  /** With `answered`: what the owner typed. It counts as the owner's words. */
  typed?: string;
  /** With `typed`: texts that came with it and are not the owner's words. */
  context?: readonly string[];
  /** With `typed`: see `UserMessage`. */
  program?: string;
  /** With `answered`: the choice that the owner took. The model worded it. */
  choice?: string;
  by?: string;
}

/** An action that another program carries out. Its start and its result are `tool` events too. */
export interface ClientActionPayload {
  actionId: string;
  state: ClientActionState;
  /** With `pending`, like all up to `secretHash`: the program that is to carry it out. */
  program?: string;
  tool?: string;
  /** What to do: the arguments of the call, or the approved form of an effect. */
  input?: JsonValue;
  expiresAt?: string;
  /** What it means if a program took it and sent no result in time. */
  ifExpired?: ExpiryMeaning;
  /** The hash of the secret that the program gets when it takes the action. Never in a response. */
  secretHash?: string;
  /** With `taken`: the hash of the key of the request, which may be repeated. Never in a response. */
  takenBy?: string;
  /** With `finished`: what the program sent. */
  result?: JsonValue;
  /** With `finished`: why the program did nothing. */
  error?: string;
}

/** One field of an effect before and after an edit. */
export interface FieldDiff {
  field: string;
  before: string;
  after: string;
}

/** Workers skip runs whose log has a higher version than this. */
export const logVersion = 9;
