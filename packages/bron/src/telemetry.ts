import type { AdvanceEnd, Approvals, RunLog, Runs, Store } from "@bron/core";
import {
  isParked,
  isTerminal,
  type ActionOutcome,
  type EffectState,
  type ErrorCode,
  type NewEvent,
  type RunStatus,
  type UsagePayload,
} from "@bron/protocol";

interface OfRun {
  readonly runId: string;
  readonly ownerId: string;
}

/** What this process did, for logs and figures: ids, names and numbers, and never a word of a run. */
export type RuntimeEvent =
  | ({ readonly what: "run_created" | "run_stop_asked" } & OfRun)
  | ({ readonly what: "run_claimed"; readonly bronId: string; readonly claims: number } & OfRun)
  | ({ readonly what: "run_parked"; readonly status: RunStatus } & OfRun)
  /** `ms` since the run was made, parked or not. */
  | ({
      readonly what: "run_ended";
      readonly status: RunStatus;
      readonly code?: ErrorCode;
      readonly ms: number;
    } & OfRun)
  /** `failed`: it threw. */
  | ({
      readonly what: "segment_ended";
      readonly end: Extract<AdvanceEnd, string> | "failed";
      readonly ms: number;
    } & OfRun)
  | ({
      readonly what: "model_called";
      readonly model: string;
      readonly outcome: UsagePayload["outcome"];
      readonly code?: ErrorCode;
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly costMicrousd: number;
    } & OfRun)
  /** A tool that there is not is called `unknown`, since its name is the model's word. */
  | ({
      readonly what: "tool_ended";
      readonly tool: string;
      readonly outcome: ActionOutcome;
      readonly code?: ErrorCode;
      readonly actionId: string;
    } & OfRun)
  | ({
      readonly what: "effect_moved";
      readonly tool: string;
      readonly state: EffectState;
      readonly effectId: string;
    } & OfRun)
  | ({
      readonly what: "approval_moved";
      readonly tool: string;
      readonly to: "requested" | "approved" | "denied" | "edited" | "undone";
      readonly approvalId: string;
    } & OfRun)
  | { readonly what: "approvals_expired"; readonly count: number };

export interface Telemetry {
  /** The same store, whose use is told. */
  watch(store: Store): Store;
  /** After each append of a segment. */
  appended(
    runId: string,
    appended: { readonly events: readonly NewEvent[]; readonly createdAt: string },
  ): void;
  /** Around a segment. */
  segment(runId: string, work: () => Promise<AdvanceEnd>): Promise<AdvanceEnd>;
}

interface Held extends OfRun {
  /** When the run was made, by the database's clock. */
  readonly madeAt: number;
  readonly claimedAt: number;
}

export interface TelemetryDeps {
  readonly isTool: (name: string) => boolean;
  /** One that throws is its own problem, not the run's. */
  readonly onRuntimeEvent: (runtimeEvent: RuntimeEvent) => void;
  readonly onProblem: (error: unknown) => void;
  readonly monotonic: () => number;
}

export function createTelemetry({
  isTool,
  onRuntimeEvent,
  onProblem,
  monotonic,
}: TelemetryDeps): Telemetry {
  const held = new Map<string, Held>();
  const tell = (runtimeEvent: RuntimeEvent) => {
    try {
      onRuntimeEvent(runtimeEvent);
    } catch (error) {
      onProblem(error);
    }
  };
  const ended = (runId: string, end: Extract<RuntimeEvent, { what: "segment_ended" }>["end"]) => {
    const run = held.get(runId);
    held.delete(runId);
    if (run)
      tell({
        what: "segment_ended",
        runId,
        ownerId: run.ownerId,
        end,
        ms: Math.round(monotonic() - run.claimedAt),
      });
  };
  const watchLog = (log: RunLog): RunLog => ({
    ...log,
    async claim(request) {
      const result = await log.claim(request);
      if (!result.claimed) return result;
      const { id: runId, ownerId, bronId } = result.run;
      held.set(runId, {
        runId,
        ownerId,
        madeAt: Date.parse(result.events[0]?.createdAt ?? "") || result.databaseNow,
        claimedAt: monotonic(),
      });
      tell({ what: "run_claimed", runId, ownerId, bronId, claims: result.claimsWithoutProgress });
      return result;
    },
  });
  return {
    watch: (store) => ({
      ...store,
      log: watchLog(store.log),
      runs: watchRuns(store.runs, tell),
      approvals: watchApprovals(store.approvals, tell),
    }),
    appended(runId, { events, createdAt }) {
      const run = held.get(runId);
      if (run)
        for (const runtimeEvent of events.flatMap((event) =>
          runtimeEventsOf(event, run, Date.parse(createdAt)),
        ))
          tell(
            "tool" in runtimeEvent && !isTool(runtimeEvent.tool)
              ? { ...runtimeEvent, tool: "unknown" }
              : runtimeEvent,
          );
    },
    async segment(runId, work) {
      try {
        const end = await work();
        if (typeof end === "string") ended(runId, end);
        return end;
      } catch (error) {
        ended(runId, "failed");
        throw error;
      }
    },
  };
}

function watchRuns(runs: Runs, tell: (runtimeEvent: RuntimeEvent) => void): Runs {
  const stopAsked = (ownerId: string, runId: string) =>
    tell({ what: "run_stop_asked", runId, ownerId });
  return {
    ...runs,
    async create(run) {
      const view = await runs.create(run);
      tell({ what: "run_created", runId: view.id, ownerId: run.ownerId });
      return view;
    },
    async requestCancel(ownerId, runId, reason) {
      const isAsked = await runs.requestCancel(ownerId, runId, reason);
      if (isAsked) stopAsked(ownerId, runId);
      return isAsked;
    },
    async requestCancelAll(ownerId, reason) {
      const stopped = await runs.requestCancelAll(ownerId, reason);
      for (const runId of stopped) stopAsked(ownerId, runId);
      return stopped;
    },
  };
}

function watchApprovals(
  approvals: Approvals,
  tell: (runtimeEvent: RuntimeEvent) => void,
): Approvals {
  const moved = async (
    ownerId: string,
    to: Extract<RuntimeEvent, { what: "approval_moved" }>["to"],
    moving: ReturnType<Approvals["decide"]>,
  ) => {
    const view = await moving;
    tell({
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
    decide: (decision) =>
      moved(
        decision.ownerId,
        decision.approved ? "approved" : "denied",
        approvals.decide(decision),
      ),
    edit: (edit) => moved(edit.ownerId, "edited", approvals.edit(edit)),
    undo: (ownerId, approvalId) => moved(ownerId, "undone", approvals.undo(ownerId, approvalId)),
    async expireDue() {
      const count = await approvals.expireDue();
      if (count > 0) tell({ what: "approvals_expired", count });
      return count;
    },
  };
}

function runtimeEventsOf(
  event: NewEvent,
  { runId, ownerId, madeAt }: Held,
  at: number,
): RuntimeEvent[] {
  const run = { runId, ownerId };
  const coded = (code: ErrorCode | undefined) => (code === undefined ? {} : { code });
  switch (event.type) {
    case "status": {
      const { status, code } = event.payload;
      if (isTerminal(status))
        return [
          { what: "run_ended", ...run, status, ...coded(code), ms: Math.max(0, at - madeAt) },
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
          ...coded(error?.code),
          inputTokens,
          outputTokens,
          costMicrousd,
        },
      ];
    }
    case "tool": {
      if (event.payload.phase === "start") return [];
      const { name, outcome, error, actionId } = event.payload;
      return [{ what: "tool_ended", ...run, tool: name, outcome, ...coded(error?.code), actionId }];
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
      return event.payload.state === "requested"
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
