import { omitUndefined, type NewEvent } from "@bron/protocol";
import type { Rule } from "../policy/permissions/rules.ts";
import type { Clock } from "../ports/clock.ts";
import type { BudgetRefusal, Lease, RunHeader, RunLog } from "../ports/runs/run-log.ts";
import { appendWithRetry } from "./append-with-retry.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { fold } from "./state/fold.ts";
import type { Move } from "./decide/move-builder.ts";
import type { RunState } from "./state/run-state.ts";
import type { SegmentHandle } from "./segment-handle.ts";
import { withRetry } from "./with-retry.ts";

export interface Appended {
  readonly events: readonly NewEvent[];
  readonly lastSeq: number;
  readonly createdAt: string;
}

export interface SegmentLogDeps {
  readonly log: RunLog;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Called after each append of this run, in order. */
  readonly onAppend: (runId: string, appended: Appended) => void;
}

export interface SegmentLogInput {
  readonly lease: Lease;
  readonly run: RunHeader;
  readonly state: RunState;
  readonly drawnMicrousd: number;
  readonly handle: SegmentHandle;
  readonly signal: AbortSignal;
}

/** `again`: the append was rejected, and the new events have been read. */
export type Written = "written" | "again" | "lease_lost";

/** The log of a run under a lease, and what it says. */
export interface SegmentLog {
  state(): RunState;
  /** The header of the run, with the owner's current cap. */
  run(): RunHeader;
  drawnMicrousd(): number;
  /** The cap that did not allow a draw. */
  budgetRefusal(): BudgetRefusal | undefined;
  /** Whether nothing has been appended since the claim. */
  isJustClaimed(): boolean;
  /** Reads what other writers have appended. */
  readGap(): Promise<void>;
  write(move: Move): Promise<Written>;
  /** See `AppendResult`. Undefined unless the last append started a read and returned them. */
  denyingRules(): readonly Rule[] | undefined;
}

export function createSegmentLog(
  { log, clock, leaseMs, onAppend }: SegmentLogDeps,
  { lease, handle, signal, ...initial }: SegmentLogInput,
  databaseClock: DatabaseClock,
): SegmentLog {
  let { run, state, drawnMicrousd } = initial;
  let budgetRefusal: BudgetRefusal | undefined;
  let justClaimed = true;
  let denyingRules: readonly Rule[] | undefined;

  const readGap = async () => {
    const gap = await withRetry(clock, signal, () => log.read(lease, state.seq));
    for (const event of gap === "gave_up" ? [] : gap)
      state = fold(state, event, Date.parse(event.createdAt));
    handle.seen = state.seq;
  };
  return {
    state: () => state,
    run: () => run,
    drawnMicrousd: () => drawnMicrousd,
    budgetRefusal: () => budgetRefusal,
    isJustClaimed: () => justClaimed,
    readGap,
    denyingRules: () => denyingRules,
    async write({ events, chargedMicrousd, release, consume, draw, toStart }) {
      const request = {
        drawnBefore: drawnMicrousd,
        ownerCapMicrousd: run.ownerCapMicrousd,
        lease,
        seen: state.seq,
        events,
        leaseMs,
        chargedMicrousd,
        ...omitUndefined({ release, draw }),
        ...(consume.length > 0 ? { consume } : {}),
        ...(toStart.some(({ kind }) => kind === "read")
          ? { needsDenyingRules: true as const }
          : {}),
      };
      const result = await appendWithRetry(log, clock, request, signal);
      if (result === "gave_up") return "lease_lost";
      if (result.ok) {
        const { lastSeq, createdAt, ownerCapMicrousd } = result;
        const at = Date.parse(createdAt);
        databaseClock.set(at);
        for (const event of events) state = fold(state, event, at);
        ({ drawnMicrousd, denyingRules } = result);
        justClaimed = false;
        if (ownerCapMicrousd !== run.ownerCapMicrousd) run = { ...run, ownerCapMicrousd };
        const { hasOwnerBudget = run.hasOwnerBudget } = result;
        if (hasOwnerBudget !== run.hasOwnerBudget) run = { ...run, hasOwnerBudget };
        handle.seen = lastSeq;
        onAppend(run.id, { events, lastSeq, createdAt });
        return "written";
      }
      if (result.reason === "lost") return "lease_lost";
      if (result.reason === "budget") budgetRefusal = result.why;
      // The database's clock was slightly behind ours. Wait for it to catch up, then decide again.
      if (result.reason === "approval") await clock.sleep(50, signal);
      await readGap();
      return "again";
    },
  };
}
