import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type {
  AssistantPart,
  ActionOutcome,
  ActionState,
  EffectState,
  FailureMode,
  JsonObject,
  JsonValue,
  RetryOf,
  RunStatus,
} from "@bron/protocol";
import type { AttachedFile } from "../context/attached-files.ts";
import { noLabels, type RunLabels } from "../policy/run-labels.ts";
import type { CodedError } from "../ports.ts";
import type { EffectEdit } from "../tool/edit-effect.ts";

/** What the log of a run implies. Immutable: `fold` returns a new one, so a refused append costs nothing to undo. */
export interface RunState {
  readonly seq: number;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  /** The run that this one tries again. */
  readonly retryOf: RetryOf | undefined;
  /** The run that this one is a part of. */
  readonly parentRunId: string | undefined;
  /** Parts of the task that were handed to runs of their own. */
  readonly children: ReadonlyMap<string, Child>;

  /** The conversation of this run in the model's form: user prompt, answers, results. */
  readonly messages: readonly LanguageModelV4Message[];
  /** Size of `messages` in bytes, an upper bound of their tokens. */
  readonly messageBytes: number;

  /** Attached by the owner. They may come at any time, and stand before the messages. */
  readonly files: readonly AttachedFile[];

  /** Of an answer whose step has not ended in the log: never at the end of an append. */
  readonly answerParts: readonly AssistantPart[];

  /** Actions without a result yet, in the order of their calls. */
  readonly open: ReadonlyMap<string, OpenAction>;
  readonly ended: readonly EndedAction[];

  /** Model turns begun, and the one in progress if its end is not in the log. */
  readonly step: number;
  readonly openStep: OpenStep | undefined;
  /** A failed attempt of the current step that is to be made again. */
  readonly retry: { readonly attempt: number; readonly notBefore: number } | undefined;
  readonly failedAttempts: number;
  readonly modelFailure: CodedError | undefined;

  readonly toolCalls: number;
  readonly toolCallNames: ReadonlyMap<string, number>;
  /** Times that a tool which does not exist was named, by name. */
  readonly unknownTools: ReadonlyMap<string, number>;

  /** What the owner said to approvals, and what the model has not been told yet: results come first. */
  readonly pendingUserMessages: readonly string[];

  /** What it has read, as far as trust is concerned. */
  readonly labels: RunLabels;

  readonly activeMs: number;
  readonly spentMicrousd: number;
  /** The newest text of the model, kept as the partial answer. */
  readonly lastText: string;
  readonly answered: boolean;
}

export interface OpenStep {
  readonly step: number;
  readonly attempt: number;
  readonly model: string;
  readonly reservedMicrousd: number;
  /** See `AdvanceInput.wasInterrupted`. */
  readonly interrupted?: true;
}

export interface OpenAction {
  readonly id: string;
  readonly callId: string;
  readonly step: number;
  readonly tool: string;
  readonly input: JsonValue;
  readonly state: ActionState;
  /** Starts so far. */
  readonly attempts: number;
  readonly effect?: OpenEffect;
  /** An effect of it that its owner edited: another one is to be prepared from it. */
  readonly edit?: EffectEdit;
  /** The account that it waits for. */
  readonly needsAuth?: string;
  /** An account that was connected while it ran. */
  readonly reconnected?: string;
  /** The child run that it waits for. */
  readonly awaits?: string;
}

export interface Child {
  readonly title: string;
  readonly status: RunStatus;
  readonly error?: CodedError;
  readonly notDone: number;
  readonly failureMode: FailureMode;
  readonly insteadOf?: string;
}

export interface OpenEffect {
  readonly id: string;
  readonly state: EffectState;
  readonly digest: string;
  readonly prepared: JsonValue;
  /** Undefined in logs from before forms had versions. */
  readonly formVersion: number | undefined;
  readonly preview: string;
  readonly reasons: readonly string[];
  /** What the owner typed into it. */
  readonly typed: string;
  readonly approval?: OpenApproval;
  /** Looks into the current attempt that have begun. */
  readonly looks: number;
  /** Kept by a look into the current attempt. */
  readonly evidence?: JsonValue;
  /** Epoch milliseconds by the database's clock, while attempting. */
  readonly deadline: number;
  readonly retryAt: number;
}

export interface OpenApproval {
  readonly id: string;
  readonly state:
    | "pending"
    | "approved"
    | "used"
    | "denied"
    | "expired"
    | "superseded"
    | "canceled";
  readonly reason: string;
  readonly expiresAt: number;
  /** Approved, but not to begin before this time. */
  readonly undoUntil: number;
  readonly undone: boolean;
  readonly answer?: string;
  readonly edit?: JsonObject;
}

export interface EndedAction {
  readonly tool: string;
  readonly step: number;
  readonly outcome: ActionOutcome;
  readonly error?: CodedError;
  /** A message that it sent. */
  readonly sent?: { readonly sentMessageId: string; readonly sentAt?: string };
  /** It was to change something, and did not; `answered` if its owner said something else instead, `unproposed` if it could not even be prepared. */
  readonly unmade?: "declined" | "failed" | "unproposed" | "answered";
  /** Taken over from the run that this one tries again. */
  readonly isReused: boolean;
}

export const emptyRunState: RunState = {
  seq: 0,
  status: "queued",
  cancelRequested: false,
  retryOf: undefined,
  parentRunId: undefined,
  children: new Map(),
  messages: [],
  messageBytes: 0,
  files: [],
  answerParts: [],
  open: new Map(),
  ended: [],
  step: 0,
  openStep: undefined,
  retry: undefined,
  failedAttempts: 0,
  modelFailure: undefined,
  toolCalls: 0,
  toolCallNames: new Map(),
  unknownTools: new Map(),
  pendingUserMessages: [],
  labels: noLabels,
  activeMs: 0,
  spentMicrousd: 0,
  lastText: "",
  answered: false,
};
