import type { ScheduleReason, SkipReason } from "@bron/protocol";
import type { Schedule } from "../ports/schedules.ts";
import { nextTimes } from "./next-times.ts";

/** A time that is older than this was missed: no worker was running. */
const missedAfterMs = 10 * 60_000;

interface Circumstances {
  /** The database's clock. */
  readonly now: number;
  readonly isBudgetSpent: boolean;
  /** Whether the last run of the schedule is still under way. */
  readonly hasOpenRun: boolean;
}

/** What becomes of a schedule that is due. */
export interface DueMove {
  /** Whether its run starts now. */
  readonly starts: boolean;
  readonly skipped?: SkipReason;
  /** Null: it has ended. */
  readonly nextAt: string | null;
  readonly reason: ScheduleReason | null;
}

/**
 * Decides about a schedule that is due. However many times have passed, one run starts at most. The
 * caller does not ask about a schedule that waits for its last run.
 */
export function moveDue(
  schedule: Schedule & { readonly nextAt: string },
  { now, isBudgetSpent, hasOpenRun }: Circumstances,
): DueMove {
  const dueAt = Date.parse(schedule.nextAt);
  const waits = schedule.overlap === "wait";
  const isMissed = now - dueAt > missedAfterMs && schedule.missed === "skip" && !waits;
  const skipped = isMissed
    ? "missed"
    : hasOpenRun
      ? "overlap"
      : isBudgetSpent
        ? "budget"
        : undefined;
  const [next] =
    schedule.kind === "once"
      ? []
      : nextTimes(schedule, 1, { after: now, anchor: dueAt, endAt: schedule.endAt });
  const starts = skipped === undefined;
  const ended = schedule.kind !== "once" ? "end_date" : skipped === "missed" ? "missed" : "done";
  return {
    starts,
    ...(skipped ? { skipped } : {}),
    nextAt: next === undefined ? null : new Date(next).toISOString(),
    reason: next === undefined ? ended : null,
  };
}
