import type {
  Caps,
  ScheduleReason,
  ScheduleState,
  ScheduleView,
  SkipReason,
  Timing,
  TrustLevel,
  Watch,
} from "@bron/protocol";
import type { CreatedRun } from "./runs/runs.ts";

/** A task that starts by the clock, or when a watch finds something. */
export interface Schedule extends Timing {
  readonly id: string;
  readonly ownerId: string;
  readonly bronId: string;
  readonly title: string;
  readonly prompt: string;
  /** The program that wrote the prompt. Undefined: the owner typed it. See `NewRun`. */
  readonly program?: string;
  /** True if a run proposed the prompt and the owner approved it. `program` is set then. */
  readonly isProposed: boolean;
  readonly watch: Watch | null;
  readonly missed: ScheduleView["missed"];
  readonly overlap: ScheduleView["overlap"];
  readonly endAt: string | null;
  readonly trustLevel: TrustLevel | null;
  readonly caps: ScheduleView["caps"];
  readonly state: ScheduleState;
  readonly reason: ScheduleReason | null;
  readonly problem: string | null;
  readonly failures: number;
  /** When it is due next. Null unless it is active. */
  readonly nextAt: string | null;
  readonly skipped: { readonly at: string; readonly reason: SkipReason } | null;
  readonly createdAt: string;
}

export interface NewSchedule
  extends
    Timing,
    Pick<
      Schedule,
      | "title"
      | "prompt"
      | "program"
      | "isProposed"
      | "watch"
      | "missed"
      | "overlap"
      | "endAt"
      | "trustLevel"
      | "caps"
    > {
  /** Chosen by the caller, so that a repeated call creates one schedule. */
  readonly id: string;
  /** The default is the owner's default Bron. */
  readonly bronId?: string | undefined;
}

/** A run of a schedule. */
export type ScheduledRun = ScheduleView["lastRuns"][number];

/** A watch that is due. It was advanced to its next time already. */
export interface DueWatch {
  readonly schedule: Schedule & { readonly watch: Watch };
  /** Where the last poll ended. Null before the first. */
  readonly cursor: string | null;
}

/** What a poll of a watch found. */
export interface RecordedPoll {
  readonly scheduleId: string;
  readonly ownerId: string;
  /** The cursor that the poll started from. If it has changed, nothing is recorded. */
  readonly from: string | null;
  readonly cursor: string;
  /** One run for each: the text that is attached to it, as context that is not the owner's words. */
  readonly tasks: readonly string[];
}

export interface StartDueOptions {
  readonly limit: number;
  /** The caps of runs without caps of their own. */
  readonly caps: Caps;
}

/**
 * Schedules and watches. Every change of the owner is in the audit log. Data of another owner is
 * reported as not found.
 */
export interface Schedules {
  /**
   * The same id returns the same schedule. Throws conflict beyond the limit per owner, not_found or
   * invalid_input for the Bron, and invalid_input for a timing without a next time.
   */
  create(ownerId: string, schedule: NewSchedule): Promise<Schedule>;
  get(ownerId: string, id: string): Promise<Schedule | undefined>;
  /** Newest first. */
  list(ownerId: string): Promise<Schedule[]>;
  /** The newest runs of each schedule, at most three of each. */
  lastRuns(ownerId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ScheduledRun[]>>;
  /** A new prompt is by `program`, or by the owner. Throws not_found, or invalid_input. */
  change(
    ownerId: string,
    id: string,
    changes: Partial<
      Pick<Schedule, "title" | "prompt" | "program" | "endAt" | "missed" | "overlap"> & {
        readonly timing: Timing;
      }
    >,
  ): Promise<void>;
  /** Repeating it changes nothing. Throws not_found, or conflict for one that has ended. */
  pause(ownerId: string, id: string): Promise<void>;
  /** Continues with the first time from now. Throws not_found, or conflict if there is none. */
  resume(ownerId: string, id: string): Promise<void>;
  remove(ownerId: string, id: string): Promise<void>;
  /** Starts its task now, in any state. The same key starts it once. Throws not_found. */
  runNow(ownerId: string, id: string, options: { key: string; caps: Caps }): Promise<CreatedRun>;

  /** For the sweep: all owners, by the database's clock. */

  /**
   * Starts the runs of schedules that are due, each with its next time in one transaction, so that
   * each occasion starts exactly one run. Also counts what became of ended runs, and pauses a
   * schedule after `maxScheduleFailures`. Returns how many schedules it moved. Safe to call from
   * several workers at once.
   */
  startDue(options: StartDueOptions): Promise<number>;
  /** Takes watches that are due. Another worker gets them again only at their next time. */
  takeDueWatches(limit: number): Promise<DueWatch[]>;
  /** Keeps the cursor and starts the runs in one transaction. Returns false if it was too late. */
  recordPoll(poll: RecordedPoll, caps: Caps): Promise<boolean>;
  /** Pauses an active watch whose account cannot be read. */
  pauseLost(ownerId: string, id: string, problem: string): Promise<void>;
}
