import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type {
  ToolEnd,
  AssistantPart,
  AuxiliaryCallEnd,
  ActionOutcome,
  ActionState,
  EffectState,
  ClientActionState,
  DeclaredOutcome,
  ExpiryMeaning,
  Failure,
  FailureMode,
  FormReads,
  JsonObject,
  JsonValue,
  KeptOutput,
  Label,
  NotDone,
  PinnedSkill,
  PolicyReason,
  AnswerSchema,
  QuestionState,
  RetryOf,
  RunStatus,
  SummaryPayload,
} from "@bron/protocol";
import type { AttachedFile } from "../../context/attached-files.ts";
import { noLabels, type RunLabels } from "../../policy/run-labels.ts";
import type { EffectEdit } from "../../tool/edit-effect.ts";
import type { ModelNames } from "../../tool/tool-names.ts";

/**
 * The state that a run's log implies. Immutable: `fold` returns a new state, so a rejected append
 * needs no rollback.
 */
export interface RunState {
  readonly seq: number;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  /** The run that this one retries. */
  readonly retryOf: RetryOf | undefined;
  /** The run that started this one as a child. */
  readonly parentRunId: string | undefined;
  /** Set for a run that is not a task. */
  readonly kind: "upkeep" | undefined;
  /** The model that was chosen for this run. */
  readonly chosenModel: string | undefined;
  /** The model of the newest step. */
  readonly lastModel: string | undefined;
  /** Set for a child run: the names of its parent's tools. */
  readonly allowedTools: ReadonlySet<string> | undefined;
  /** Child runs by id. */
  readonly children: ReadonlyMap<string, Child>;

  /**
   * The conversation of this run in the model's format: prompt, model messages and tool results.
   */
  readonly messages: readonly LanguageModelV4Message[];
  /** Size of `messages` in bytes, an upper bound for their tokens. */
  readonly messageBytes: number;

  /**
   * Files that the owner attached. They may arrive at any time, and the model sees them before the
   * messages.
   */
  readonly files: readonly AttachedFile[];
  /** Digests of the files whose content the model has seen. */
  readonly shownFiles: ReadonlySet<string>;
  /** Digests of the files that a tool has used. */
  readonly readFiles: ReadonlySet<string>;
  /** The model refused the content of files, so requests have none. */
  readonly hidesFiles: boolean;

  /** Parts of a model message whose step is still open. Always empty between appends. */
  readonly openMessageParts: readonly AssistantPart[];

  /** Actions without a result, in the order of their calls. */
  readonly open: ReadonlyMap<string, OpenAction>;
  readonly ended: readonly EndedAction[];
  /** Kinds and targets of effects whose text the model was asked to rewrite. */
  readonly rewrites: ReadonlySet<string>;
  /** Results of pages that were opened, by `pageKey`. */
  readonly pages: ReadonlyMap<string, ToolEnd>;

  /** Number of started steps, and the current one if its end is not in the log. */
  readonly step: number;
  readonly openStep: OpenStep | undefined;
  /** Set when a failed attempt of the current step is to be repeated. */
  readonly retry: StepRetry | undefined;
  readonly failedAttempts: number;
  readonly modelFailure: Failure | undefined;

  /** The newest summary of this run's own messages. */
  readonly checkpoint: RunCheckpoint | undefined;

  /** Auxiliary calls by purpose, the newest of each. */
  readonly auxiliaryCalls: ReadonlyMap<string, AuxiliaryCall>;
  /** The digests of the tools that the model is offered, by name. Undefined in older logs. */
  readonly toolSet: ReadonlyMap<string, string> | undefined;
  /** The skills that the run can read, by name. Undefined if it has none. */
  readonly skillSet: ReadonlyMap<string, PinnedSkill> | undefined;
  /** The names of the tools that the skills which were read allow. Undefined: all of them. */
  readonly skillTools: ReadonlySet<string> | undefined;
  /** The names that the model has seen, of all tools that it was ever offered in this run. */
  readonly modelNames: ModelNames;

  readonly toolCalls: number;
  readonly toolCallNames: ReadonlyMap<string, number>;
  /** How often the model named each tool that does not exist. */
  readonly unknownTools: ReadonlyMap<string, number>;

  /** What the owner said meanwhile. The model gets it after the open tool results. */
  readonly pendingUserMessages: readonly PendingUserMessage[];

  /** Long outputs of this run, of which the model saw a preview, by id. */
  readonly keptOutputs: ReadonlyMap<string, LabeledOutput>;

  /** Trust labels of everything that the run has read. */
  readonly labels: RunLabels;

  /**
   * When the owner last typed words after the task itself, in epoch milliseconds by the database's
   * clock. 0: never.
   */
  readonly newWordsAt: number;

  readonly activeMs: number;
  readonly spentMicrousd: number;
  /** The newest text of the model. A run that ends early shows it as the partial answer. */
  readonly lastText: string;
  readonly hasFinalMessage: boolean;
  /** How the model said that the task went, since the owner's last words. */
  readonly declaredOutcome: DeclaredOutcome | undefined;
}

/** A kept output with the label of its result. */
export interface LabeledOutput extends KeptOutput {
  readonly label: Label;
}

export interface PendingUserMessage {
  readonly content: string;
  readonly context?: readonly string[];
  /** Set unless it is a reply to an approval. */
  readonly messageId?: string;
  /** See `UserMessage`. */
  readonly program?: string;
  readonly asTyped?: true;
}

export interface StepRetry {
  readonly attempt: number;
  readonly notBefore: number;
  readonly model: string;
}

/** A model call whose start is in the log and whose usage is not. */
export interface StartedCall {
  readonly attempt: number;
  readonly model: string;
  readonly reservedMicrousd: number;
  /** See `AdvanceInput.wasInterrupted`. */
  readonly interrupted?: true;
}

interface OpenStep extends StartedCall {
  readonly step: number;
  /** Whether its request has the content of files. */
  readonly hasFiles: boolean;
}

/** The first messages of a run in fewer words, with the joined labels of what they contain. */
type RunCheckpoint = Omit<Extract<SummaryPayload, { of: "run" }>, "of">;

/** A model call that is not a step. */
export interface AuxiliaryCall {
  readonly callId: string;
  readonly failedAttempts: number;
  /** When the first attempt started that no lost worker made, in epoch milliseconds. */
  readonly startedAt?: number;
  /** The attempt whose usage is not in the log. */
  readonly open?: StartedCall;
  /** Set when another attempt is to be made. */
  readonly retry?: StepRetry;
  /** An output that did not match the schema. */
  readonly invalid?: { readonly text: string; readonly problem: string };
  readonly result?: Pick<AuxiliaryCallEnd, "output" | "error">;
}

export interface OpenAction {
  readonly id: string;
  readonly callId: string;
  readonly step: number;
  readonly tool: string;
  /** The digest of the tool that the model called. Undefined in older logs. */
  readonly toolDigest?: string;
  readonly input: JsonValue;
  readonly state: ActionState;
  /** Number of starts so far. */
  readonly attempts: number;
  readonly effect?: OpenEffect;
  /** An effect that the owner edited. Its replacement must be prepared. */
  readonly edit?: EffectEdit;
  /** The account that this action waits for. */
  readonly needsAuth?: string;
  /** An account that was connected while this action ran. */
  readonly reconnected?: string;
  /** The child run that this action waits for. */
  readonly awaits?: string;
  /** The question that this action asks the owner. */
  readonly question?: OpenQuestion;
  /** Set while, or after, another program carries this action out. */
  readonly client?: OpenClientAction;
}

export interface OpenClientAction {
  readonly state: ClientActionState;
  readonly program: string;
  readonly ifExpired: ExpiryMeaning;
  /** A program has had its secret. */
  readonly isTaken: boolean;
  readonly result?: JsonValue;
  readonly error?: string;
}

export interface OpenQuestion {
  readonly id: string;
  readonly state: QuestionState;
  readonly schema?: AnswerSchema;
  readonly default?: string;
  readonly typed?: string;
  readonly context?: readonly string[];
  readonly program?: string;
  readonly choice?: string;
}

export interface Child {
  readonly title: string;
  readonly status: RunStatus;
  readonly error?: Failure;
  /** Number of requested changes that the child run did not make. */
  readonly notDone: number;
  readonly failureMode: FailureMode;
  /** The failed child run that this one replaces. */
  readonly insteadOf?: string;
}

export interface OpenEffect {
  readonly id: string;
  readonly state: EffectState;
  readonly digest: string;
  readonly prepared: JsonValue;
  /** Undefined in logs that predate form versions. */
  readonly formVersion: number | undefined;
  readonly preview: string;
  readonly reasons: readonly PolicyReason[];
  /** What the owner typed while editing. */
  readonly typed: string;
  /** The fields that were edited, with their last values. Empty if there was no edit. */
  readonly changes: JsonObject;
  readonly reads: FormReads | undefined;
  readonly approval?: OpenApproval;
  /** Number of reconcile calls started for the current attempt. */
  readonly looks: number;
  /** Evidence that a reconcile call of the current attempt saved. */
  readonly evidence?: JsonValue;
  /** Epoch milliseconds by the database's clock, while attempting. */
  readonly deadline: number;
  readonly retryAt: number;
  /** An effect that needs no approval must not start before this time. */
  readonly undoUntil: number;
  /** The owner undid it in time. It has ended in the ledger. */
  readonly isUndone: boolean;
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
  /** An approved effect must not start before this time. */
  readonly undoUntil: number;
  /** A denial must not be acted on before this time. */
  readonly reopenUntil: number;
  readonly undone: boolean;
  readonly reply?: string;
  readonly edit?: JsonObject;
  /** Set if a program replied or edited. */
  readonly program?: string;
}

export interface EndedAction {
  readonly tool: string;
  readonly step: number;
  readonly outcome: ActionOutcome;
  /** Set unless the action was completed. */
  readonly notDone?: NotDone;
  /** The message that this action sent. */
  readonly sent?: { readonly sentMessageId: string; readonly sentAt?: string };
  /**
   * Why a requested change was not made. `replied`: the owner replied instead of deciding.
   * `unproposed`: it could not be prepared.
   */
  readonly notDoneReason?: "denied" | "failed" | "unproposed" | "replied";
  /** Reused from the run that this one retries. */
  readonly isReused: boolean;
}

/** What the run has spent, and what its calls under way may cost. */
export function chargedMicrousd({ spentMicrousd, openStep, auxiliaryCalls }: RunState): number {
  return [...auxiliaryCalls.values()].reduce(
    (sum, { open }) => sum + (open?.reservedMicrousd ?? 0),
    spentMicrousd + (openStep?.reservedMicrousd ?? 0),
  );
}

export const emptyRunState: RunState = {
  seq: 0,
  status: "queued",
  cancelRequested: false,
  retryOf: undefined,
  parentRunId: undefined,
  kind: undefined,
  chosenModel: undefined,
  lastModel: undefined,
  allowedTools: undefined,
  children: new Map(),
  messages: [],
  messageBytes: 0,
  files: [],
  shownFiles: new Set(),
  readFiles: new Set(),
  hidesFiles: false,
  openMessageParts: [],
  open: new Map(),
  ended: [],
  rewrites: new Set(),
  pages: new Map(),
  step: 0,
  openStep: undefined,
  retry: undefined,
  failedAttempts: 0,
  modelFailure: undefined,
  checkpoint: undefined,
  auxiliaryCalls: new Map(),
  toolSet: undefined,
  skillSet: undefined,
  skillTools: undefined,
  modelNames: new Map(),
  toolCalls: 0,
  toolCallNames: new Map(),
  unknownTools: new Map(),
  pendingUserMessages: [],
  keptOutputs: new Map(),
  labels: noLabels,
  newWordsAt: 0,
  activeMs: 0,
  spentMicrousd: 0,
  lastText: "",
  hasFinalMessage: false,
  declaredOutcome: undefined,
};
