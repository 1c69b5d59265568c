import type { NewRun } from "./runs.ts";
import type { TypedBefore } from "./threads.ts";

/** What an upkeep run reads: the summary so far, and what the owner typed since. */
export interface UpkeepInput {
  readonly summary: string;
  /** Changes with each change of the summary. */
  readonly version: number;
  /** The owner's own texts, oldest first. Nothing that a model, a tool or a program wrote. */
  readonly texts: readonly TypedBefore[];
}

/** The runs that renew the summaries of Brons. They are in no list. */
export interface Upkeep {
  /**
   * Creates and wakes an upkeep run for each Bron with a run that deserves one and ended at least
   * `afterMs` ago. All ended runs of a Bron share it, each run has one, and a Bron has one at a time.
   * Runs without words of the owner, and those of a Bron without memory, are passed over. Returns how
   * many were created. Safe to repeat after a crash, and in several processes.
   */
  start(options: {
    readonly afterMs: number;
    readonly run: Pick<NewRun, "title" | "input" | "caps">;
    /** The most Bron to look at. */
    readonly limit: number;
  }): Promise<number>;
  /** Undefined if the Bron is gone. */
  inputOf(ownerId: string, upkeepRunId: string): Promise<UpkeepInput | undefined>;
}
