import type { AdvanceEnd, Approvals, Claimed, Runs, Store } from "@bron/core";
import {
  isParked,
  isTerminal,
  outcomeByCount,
  reportOutcomeName,
  type ActionOutcome,
  type EffectState,
  type ErrorCode,
  type NewEvent,
  type RunOutcome,
  type RunStatus,
  type UsagePayload,
} from "@bron/protocol";

interface RunRef {
  readonly runId: string;
  readonly ownerId: string;
}

/**
 * What this process did, for logs and metrics. It has IDs, names and numbers, but no text of a run.
 */
export type RuntimeEvent =
  | ({ readonly what: "run_created" | "run_stop_asked" } & RunRef)
  | ({ readonly what: "run_claimed"; readonly bronId: string; readonly claims: number } & RunRef)
  | ({ readonly what: "run_parked"; readonly status: RunStatus } & RunRef)
  /** `ms` is the time since the run was created, including the time parked. */
  | ({
      readonly what: "run_ended";
      readonly status: RunStatus;
      readonly outcome: RunOutcome;
      readonly code?: ErrorCode;
      readonly ms: number;
    } & RunRef)
  /** `failed` means that the segment threw. */
  | ({
      readonly what: "segment_ended";
      readonly end: Extract<AdvanceEnd, string> | "failed";
      readonly ms: number;
    } & RunRef)
  | ({
      readonly what: "model_called";
      readonly model: string;
      readonly outcome: UsagePayload["outcome"];
      readonly code?: ErrorCode;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costMicrousd: number;
    } & RunRef)
  /** An unknown tool is reported as `unknown`, because its name is text from the model. */
  | ({
      readonly what: "tool_ended";
      readonly tool: string;
      readonly outcome: ActionOutcome;
      readonly code?: ErrorCode;
      readonly actionId: string;
    } & RunRef)
  | ({
      readonly what: "effect_moved";
      readonly tool: string;
      readonly state: EffectState;
      readonly effectId: string;
    } & RunRef)
  | ({
      readonly what: "approval_moved";
      readonly tool: string;
      readonly to: "requested" | "approved" | "denied" | "edited" | "undone";
      readonly approvalId: string;
    } & RunRef)
  | { readonly what: "approvals_expired"; readonly count: number };

export interface Telemetry {
  /** Wraps the store to report what owners do, and approvals that expire. */
  wrapStore(store: Store): Store;
  /** Call it after each claim of a segment. */
  claimed(claim: Claimed): void;
  /** Call it after each append of a segment. */
  appended(
    runId: string,
    appended: { readonly events: readonly NewEvent[]; readonly createdAt: string },
    /** Names of other tools are reported as unknown. */
    isTool: (name: string) => boolean,
  ): void;
  /** Runs a segment and reports how it ended. */
  segment(runId: string, work: () => Promise<AdvanceEnd>): Promise<AdvanceEnd>;
}

interface ClaimedRun extends RunRef {
  /** When the run was created, by the database clock. */
  readonly createdAtMs: number;
  readonly claimedAt: number;
}

interface TelemetryDeps {
  /** Errors of this callback go to `onProblem` and do not affect the run. */
  readonly onRuntimeEvent: (runtimeEvent: RuntimeEvent) => void;
  readonly onProblem: (error: unknown) => void;
  readonly monotonic: () => number;
}

export function createTelemetry({
  onRuntimeEvent,
  onProblem,
  monotonic,
}: TelemetryDeps): Telemetry {
  const claimed = new Map<string, ClaimedRun>();
  const emit = (runtimeEvent: RuntimeEvent) => {
    try {
      onRuntimeEvent(runtimeEvent);
    } catch (error) {
      onProblem(error);
    }
  };
  const segmentEnded = (
    runId: string,
    end: Extract<RuntimeEvent, { what: "segment_ended" }>["end"],
  ) => {
    const run = claimed.get(runId);
    claimed.delete(runId);
    if (run)
      emit({
        what: "segment_ended",
        runId,
        ownerId: run.ownerId,
        end,
        ms: Math.round(monotonic() - run.claimedAt),
      });
  };
  return {
    wrapStore: (store) => ({
      ...store,
      runs: wrapRuns(store.runs, emit),
      approvals: wrapApprovals(store.approvals, emit),
    }),
    claimed({ run, events, databaseNow, claimsWithoutProgress: claims }) {
      const { id: runId, ownerId, bronId } = run;
      claimed.set(runId, {
        runId,
        ownerId,
        createdAtMs: Date.parse(events[0]?.createdAt ?? "") || databaseNow,
        claimedAt: monotonic(),
      });
      emit({ what: "run_claimed", runId, ownerId, bronId, claims });
    },
    appended(runId, { events, createdAt }, isTool) {
      const run = claimed.get(runId);
      if (run)
        for (const runtimeEvent of events.flatMap((event) =>
          runtimeEventsOf(event, run, Date.parse(createdAt)),
        ))
          emit(
            "tool" in runtimeEvent && !isTool(runtimeEvent.tool)
              ? { ...runtimeEvent, tool: "unknown" }
              : runtimeEvent,
          );
    },
    async segment(runId, work) {
      try {
        const end = await work();
        if (typeof end === "string") segmentEnded(runId, end);
        return end;
      } catch (error) {
        segmentEnded(runId, "failed");
        throw error;
      }
    },
  };
}

function wrapRuns(runs: Runs, emit: (runtimeEvent: RuntimeEvent) => void): Runs {
  const cancelRequested = (ownerId: string, runId: string) =>
    emit({ what: "run_stop_asked", runId, ownerId });
  return {
    ...runs,
    async create(run) {
      const result = await runs.create(run);
      if (result.created) emit({ what: "run_created", runId: result.run.id, ownerId: run.ownerId });
      return result;
    },
    async requestCancel(ownerId, runId, reason) {
      const isRequested = await runs.requestCancel(ownerId, runId, reason);
      if (isRequested) cancelRequested(ownerId, runId);
      return isRequested;
    },
    async requestCancelAll(ownerId, reason) {
      const stopped = await runs.requestCancelAll(ownerId, reason);
      for (const runId of stopped) cancelRequested(ownerId, runId);
      return stopped;
    },
  };
}

function wrapApprovals(
  approvals: Approvals,
  emit: (runtimeEvent: RuntimeEvent) => void,
): Approvals {
  const changed = async (
    ownerId: string,
    to: Extract<RuntimeEvent, { what: "approval_moved" }>["to"],
    change: ReturnType<Approvals["decide"]>,
  ) => {
    const view = await change;
    emit({
      what: "approval_moved",
      runId: view.runId,
      ownerId,
      tool: view.tool,
      to,
      approvalId: view.id,
    });
    return view;
  };
  return {
    ...approvals,
    decide: (choice) =>
      changed(choice.ownerId, choice.approved ? "approved" : "denied", approvals.decide(choice)),
    edit: (edit) => changed(edit.ownerId, "edited", approvals.edit(edit)),
    undo: (ownerId, approvalId) => changed(ownerId, "undone", approvals.undo(ownerId, approvalId)),
    async expireDue() {
      const count = await approvals.expireDue();
      if (count > 0) emit({ what: "approvals_expired", count });
      return count;
    },
  };
}

function runtimeEventsOf(
  event: NewEvent,
  { runId, ownerId, createdAtMs }: ClaimedRun,
  at: number,
): RuntimeEvent[] {
  const run = { runId, ownerId };
  const withCode = (code: ErrorCode | undefined) => (code === undefined ? {} : { code });
  switch (event.type) {
    case "status": {
      const { status, code, notDone = 0, outcome } = event.payload;
      if (isTerminal(status))
        return [
          {
            what: "run_ended",
            ...run,
            status,
            outcome: outcome ?? outcomeByCount(notDone),
            ...withCode(code),
            ms: Math.max(0, at - createdAtMs),
          },
        ];
      return isParked(status) ? [{ what: "run_parked", ...run, status }] : [];
    }
    case "usage": {
      const { model, outcome, error, inputTokens, outputTokens, costMicrousd } = event.payload;
      return [
        {
          what: "model_called",
          ...run,
          model,
          outcome,
          ...withCode(error?.code),
          inputTokens,
          outputTokens,
          costMicrousd,
        },
      ];
    }
    case "tool": {
      if (event.payload.phase === "start" || event.payload.name === reportOutcomeName) return [];
      const { name, outcome, error, actionId } = event.payload;
      return [
        { what: "tool_ended", ...run, tool: name, outcome, ...withCode(error?.code), actionId },
      ];
    }
    case "effect":
      return [
        {
          what: "effect_moved",
          ...run,
          tool: event.payload.tool,
          state: event.payload.state,
          effectId: event.payload.effectId,
        },
      ];
    case "approval":
      return event.payload.state === "pending" && !event.payload.reopened
        ? [
            {
              what: "approval_moved",
              ...run,
              tool: event.payload.tool,
              to: "requested",
              approvalId: event.payload.approvalId,
            },
          ]
        : [];
    default:
      return [];
  }
}
