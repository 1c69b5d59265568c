import {
  byRules,
  defaultModelLimits,
  type AdvanceDeps,
  type Clock,
  type Permissions,
  type RunModel,
  type Store,
  type Tool,
} from "@bron/core";
import { createEngine, defaultLimits, type Engine } from "@bron/engine";
import { takeRunnable, withDatabaseErrors } from "@bron/store";
import { randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { approvalTokenHash } from "./approvals.ts";
import type { Cleanups } from "./cleanups.ts";
import type { LiveUpdates } from "./open-live.ts";
import type { Storage } from "./open-storage.ts";
import type { RuntimeOptions } from "./runtime-options.ts";
import type { Telemetry } from "./telemetry.ts";
import type { Tracing } from "./tracing/tracing.ts";

type OnProblem = (message: string, error?: unknown) => void;

const defaultApprovalTtlMs = 72 * 3_600_000;

/** Creates the engine. Nothing runs before `startEngine`. */
export function openEngine(
  options: RuntimeOptions,
  { databaseUrl, queueDatabase }: Storage,
  clock: Clock,
  onProblem: OnProblem,
): Engine {
  return createEngine({
    url: databaseUrl,
    database: queueDatabase,
    workerName: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    work: options.work ?? "sweep",
    clock,
    limits: { ...defaultLimits, ...options.limits },
    onProblem,
    ...options.engine,
  });
}

export interface EngineDeps {
  readonly options: RuntimeOptions;
  readonly storage: Storage;
  readonly store: Store;
  readonly live: LiveUpdates;
  readonly telemetry: Telemetry;
  readonly tracing: Tracing;
  readonly permissions: Permissions;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly modelFor: (ownerId: string) => Promise<RunModel>;
  readonly clock: Clock;
  readonly onProblem: OnProblem;
}

export async function startEngine(
  engine: Engine,
  deps: EngineDeps,
  cleanups: Cleanups,
): Promise<void> {
  const { storage, store, telemetry, tracing } = deps;
  cleanups.add(engine.close);
  await withDatabaseErrors(() =>
    engine.start({
      deps: (leaseMs) => advanceDeps(deps, leaseMs),
      log: store.log,
      wrapSegment: (runId, segment) => telemetry.segment(runId, () => tracing.segment(segment)),
      sweep: {
        takeRunnable: (request) => takeRunnable(storage.database.pool, request),
        expireDue: () => store.approvals.expireDue(),
        notifyParents: (only) => store.runs.notifyParents(only),
      },
    }),
  );
}

function advanceDeps(deps: EngineDeps, leaseMs: number): AdvanceDeps {
  const { options, store, live, telemetry, tracing, permissions, tools, clock, onProblem } = deps;
  const { sign } = deps.storage;
  return {
    log: tracing.log(store.log),
    threads: store.threads,
    artifacts: store.artifacts,
    clock,
    ids: { uuid: randomUUID },
    policy: options.policy ?? byRules,
    rules: permissions.rules,
    onGrantsUsed: (ownerId, grantIds) =>
      void permissions
        .countUses(ownerId, grantIds)
        .catch((error: unknown) => onProblem("The use of a grant was not counted", error)),
    tools: new Map([...tools].map(([name, tool]) => [name, tracing.tool(tool)])),
    modelFor: async (ownerId) => tracing.model(await deps.modelFor(ownerId)),
    modelLimits: { ...defaultModelLimits, ...options.modelLimits },
    leaseMs,
    approvalTtlMs: options.approvalTtlMs ?? defaultApprovalTtlMs,
    onDelta: live.streamed,
    onAppend(runId, appended) {
      telemetry.appended(runId, appended, (name) => tools.has(name));
      live.appended(runId, appended);
    },
    proveApproval: async ({ ownerId, approvalId, digest }) =>
      (await store.approvals.usedTokenHash(ownerId, approvalId)) ===
      approvalTokenHash(sign, approvalId, digest),
  };
}
