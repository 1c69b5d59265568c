import type {
  ActionView,
  ApiQuery,
  Caps,
  CreateRun,
  EffectView,
  FailureMode,
  Place,
  RetryOf,
  RunChange,
  RunEvent,
  RunStatus,
  RunView,
  TrustLevel,
} from "@bron/protocol";

export interface NewRun {
  readonly ownerId: string;
  readonly input: CreateRun;
  readonly title: string;
  readonly caps: Caps;
  readonly idempotencyKey?: string;
  /** Set for a run that Bron itself starts. It has no tools, and is in no list. */
  readonly kind?: "upkeep";
  /** The parent run. Its log records the new child in the same transaction. The child gets its place. */
  readonly parent?: ParentRun;
  /** Set for a retry of another run of the owner. The new run gets that run's attachments. */
  readonly retry?: RetryOf;
  /** Earlier messages as reported by the caller. They start a thread that has no messages yet. */
  readonly earlier?: readonly EarlierMessage[];
  /** Set if a program sent the task and the earlier messages. They are not the owner's words then. */
  readonly program?: string;
  /** See `UserMessage`. */
  readonly asTyped?: true;
  /** The schedule or watch that starts the run, and the time at which it was due. */
  readonly schedule?: { readonly id: string; readonly dueAt: string | null };
  /** The run is judged by at most this trust level, and so are its child runs and retries. */
  readonly maxTrustLevel?: TrustLevel;
}

export interface CreatedRun {
  readonly run: RunView;
  /** False if an earlier request with the same idempotency key created the run. */
  readonly created: boolean;
}

export interface ParentRun {
  readonly runId: string;
  /** The parent's action that started this run. */
  readonly actionId?: string;
  /** True if the parent's model had seen only the owner's words when it wrote this task. */
  readonly trusted?: boolean;
  readonly failureMode: FailureMode;
  readonly insteadOf?: string;
  /** The names of the parent's tools. The new run gets no others. */
  readonly tools?: readonly string[];
  /**
   * Maximum number of child runs of the parent, including finished ones. Beyond it, the call fails
   * with cap_children.
   */
  readonly maxChildren?: number;
}

/** What the owner says to a run under way. */
export interface OwnerMessage {
  readonly messageId: string;
  readonly content: string;
  /** Texts that came with it and are not the owner's words. Never empty. */
  readonly context?: readonly string[];
  /** See `UserMessage`. */
  readonly program?: string;
  readonly asTyped?: true;
}

export interface EarlierMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/**
 * The query of `GET /api/runs`. `idPrefix` is in lower case. `before` is the id of the oldest run
 * of the previous page.
 */
export type ListRuns = Readonly<Partial<ApiQuery<"GET /api/runs">>>;

export interface Runs {
  /**
   * Creates the run, its first events, the user message, the attached uploads and the wake in one
   * transaction. The same idempotency key returns the same run, and only one call created it.
   * Throws conflict for a used key and another task (`isSameTask`), not_found for an upload that has no bytes or belongs to another owner, and conflict for
   * one that belongs to another run.
   */
  create(run: NewRun): Promise<CreatedRun>;
  get(ownerId: string, runId: string): Promise<RunView | undefined>;
  list(ownerId: string, options: ListRuns): Promise<RunView[]>;
  /**
   * Returns those of the given runs that belong to one of the owners. With `active` it adds all
   * of their unfinished runs.
   */
  changes(
    ownerIds: readonly string[],
    of: { readonly runIds: readonly string[]; readonly active?: boolean },
  ): Promise<RunChange[]>;
  events(ownerId: string, runId: string, afterSeq: number, limit?: number): Promise<RunEvent[]>;
  /** Counts runs by status. For each terminal status it counts at most `maxCountedRuns`. */
  counts(ownerId: string): Promise<Partial<Record<RunStatus, number>>>;
  actions(ownerId: string, runId: string): Promise<ActionView[]>;
  effects(ownerId: string, runId: string): Promise<EffectView[]>;
  /**
   * Records in every started, unfinished run of the owner that an account is connected. Returns the
   * number of runs.
   */
  announceConnected(ownerId: string, provider: string): Promise<number>;
  /**
   * Records in parent runs that a child waits for a person or has finished, and cancels children of
   * finished parents. Returns the number of changes. `only` limits this to the given parents or
   * children. Safe to repeat after a crash.
   */
  notifyParents(only?: readonly string[]): Promise<number>;
  /**
   * Records what the owner says to a run under way. The same `messageId` is recorded once, and with
   * other words it throws conflict. Returns false if the run had ended before it.
   */
  addMessage(ownerId: string, runId: string, message: OwnerMessage): Promise<boolean>;
  /**
   * Takes a request of the owner's words back, so that effects which it would cover are asked about.
   * `used`: an effect has used it. `ended`: the run has ended. Nothing changes then. Takes the root of
   * a task. Throws not_found for a run that is not the owner's.
   */
  crossOutAsk(
    ownerId: string,
    rootRunId: string,
    key: string,
  ): Promise<"crossed_out" | "used" | "ended">;
  /**
   * Marks the run and its descendants as canceled, except finished ones. Returns false if the run
   * itself had finished.
   */
  requestCancel(ownerId: string, runId: string, reason?: string): Promise<boolean>;
  /** Does the same for all runs of an owner in one statement. Returns the canceled runs. */
  requestCancelAll(ownerId: string, reason?: string): Promise<string[]>;
  /**
   * Moves a run with its unfinished child runs, and writes the audit log. Throws not_found, or
   * conflict for a child run and for runs that have ended or that a worker is advancing.
   */
  move(ownerId: string, runId: string, place: Place | null): Promise<RunView>;
}
