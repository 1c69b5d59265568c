import type {
  AnswerSchema,
  ApprovalView,
  AskInWords,
  Card,
  EffectState,
  Failure,
  JsonValue,
  KeptOutput,
  LogLine,
  NotDone,
  Origin,
  PolicyReason,
  ProhibitionInWords,
  QuestionState,
  RunOutcome,
  RunStatus,
  SplitWords,
  ToolSetDiff,
} from "@bron/protocol";

/** One entry of the timeline of a run. */
export type Item =
  | WordsItem
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
      /** It waits for an answer, or for a child run that asks, and not for an approval. */
      readonly asks?: "question" | "child";
      readonly at: string;
    }
  | QuestionItem
  | UnaskedItem
  | PlanItem
  | { readonly kind: "connected"; readonly key: string; readonly provider: string }
  | ({ readonly kind: "tools"; readonly key: string } & ToolSetDiff)
  | { readonly kind: "retry"; readonly key: string; readonly runId: string }
  /** A child run whose step is not in this log. The others are in their `ToolItem`. */
  | ChildItem
  | FileItem;

export interface FileItem {
  readonly kind: "file";
  readonly key: string;
  /** What the file is to the run, such as `attachment`. */
  readonly fileKind: string;
  readonly name: string;
  readonly mediaType: string;
  readonly digest: string;
  readonly sizeBytes: number;
  /** The effect that replaced this text. */
  readonly effectId?: string;
}

export interface WordsItem {
  readonly kind: "user";
  readonly key: string;
  readonly text: string;
  readonly isFromParent?: true;
  /** The program that sent it. The words are not the owner's then. */
  readonly program?: string;
  /** The texts beside the words that do not count as the owner's. */
  readonly apart?: readonly TextApart[];
  /** The owner said that all of it is theirs. */
  readonly asTyped?: true;
  /** Bron has not heard it yet, because a step is under way. */
  readonly isWaiting?: true;
}

export type TextApart = SplitWords["apart"][number] & {
  /** The owner said later that it is theirs. */
  readonly isPutBack?: true;
};

/** An effect that reaches others and needed no approval. */
export interface UnaskedItem {
  readonly kind: "unasked";
  /** The ID of the effect. */
  readonly key: string;
  readonly tool: string;
  readonly preview: string;
  readonly reasons: readonly PolicyReason[];
  readonly state: EffectState;
  /** It starts no earlier, in epoch milliseconds. Until then the owner can undo it. */
  readonly undoUntil?: number;
}

/** What the owner's words ask for, as Bron understood them. */
export interface PlanItem {
  readonly kind: "plan";
  readonly key: string;
  readonly asks: readonly PlannedAsk[];
  readonly prohibitions: readonly ProhibitionInWords[];
  /** The task has ended, so that nothing can be crossed out. */
  readonly isOver?: true;
}

export interface PlannedAsk extends AskInWords {
  /** `used`: an effect has used it. */
  readonly state: "open" | "used" | "crossed_out";
}

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
  /** The title of the child run that the step is about, if it did not start it. */
  readonly about?: string;
  /** The child runs that this step started. */
  readonly children?: readonly ChildItem[];
  /** What to look at before sending what the step wrote. The owner was not asked about it. */
  readonly risks?: ShownRisks;
}

export type ShownRisks = Pick<ApprovalView, "risks" | "tool" | "runId">;

/** A child run as the log of its parent knows it. */
export interface ChildItem {
  readonly kind: "child";
  readonly key: string;
  readonly runId: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly error?: Failure;
  /** The number of requested changes that it did not make. */
  readonly notDone: number;
  readonly outcome: RunOutcome | null;
}

interface QuestionItem {
  readonly kind: "question";
  readonly key: string;
  readonly state: QuestionState;
  readonly text: string;
  readonly choices: readonly string[];
  readonly schema?: AnswerSchema;
  readonly default?: string;
  /** What the owner typed or chose. */
  readonly answer?: string;
  /** The texts beside a typed answer. */
  readonly apart?: readonly TextApart[];
}

export type ToolState = "running" | "completed" | "failed" | "rejected" | "canceled" | "unknown";
