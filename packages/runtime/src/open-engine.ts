import {
  byRules,
  createModelHealth,
  parseRecipientLimit,
  defaultModelLimits,
  upkeepRun,
  type AdvanceDeps,
  type Clock,
  type Connector,
  type ModelSet,
  type Store,
  type Tool,
  type ToolServers,
  type ToolSource,
} from "@bron/core";
import { createEngine, defaultLimits, type Engine, type OpenQueue } from "@bron/engine";
import { omitUndefined, type Caps, type ServedPlace, type Sign } from "@bron/protocol";
import { hash, randomBytes, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { approvalTokenHash } from "./services/approval-choices.ts";
import type { Cleanups } from "./cleanups.ts";
import { clientSecretHash } from "./client-secret.ts";
import type { SkillLibrary } from "./open-skills.ts";
import type { LiveUpdates } from "./open-live.ts";
import type { RuntimeSettings } from "./runtime-options.ts";
import { pollWatches } from "./poll-watches.ts";
import type { Telemetry } from "./telemetry.ts";
import type { Tracing } from "./tracing/tracing.ts";

type OnProblem = (message: string, error?: unknown) => void;

const defaultApprovalTtlMs = 72 * 3_600_000;

/** The ends of tasks within this time share one upkeep run. */
const defaultUpkeepAfterMs = 60_000;
const maxUpkeepAtOnce = 20;

/** Creates the engine. Nothing runs before `startEngine`. */
export function openEngine(
  settings: RuntimeSettings,
  {
    openQueue,
    places,
    clock,
    onProblem,
  }: {
    readonly places: readonly ServedPlace[];
    readonly openQueue: OpenQueue | undefined;
    readonly clock: Clock;
    readonly onProblem: OnProblem;
  },
): Engine {
  return createEngine({
    openQueue,
    workerName: `${hostname()}-${process.pid}-${randomBytes(4).toString("hex")}`,
    work: settings.work ?? "sweep",
    places,
    clock,
    limits: { ...defaultLimits, ...settings.limits },
    onProblem,
    ...settings.engine,
  });
}

interface EngineDeps {
  readonly settings: RuntimeSettings;
  readonly store: Store;
  readonly live: LiveUpdates;
  /** Undefined if the program has no listener. */
  readonly telemetry: Telemetry | undefined;
  /** Undefined if the process has no OpenTelemetry SDK. */
  readonly tracing: Tracing | undefined;
  readonly sign: Sign;
  readonly skillLibrary: SkillLibrary;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly toolServers: ToolServers | undefined;
  readonly unavailable: () => Promise<ReadonlySet<string>>;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
  readonly connectors: readonly Connector[];
  /** The caps of runs without caps of their own. */
  readonly caps: Caps;
  readonly clock: Clock;
  readonly onProblem: OnProblem;
}

/** The schedules that one transaction starts. The next sweep follows at once. */
const maxStarts = 100;

export async function startEngine(
  engine: Engine,
  deps: EngineDeps,
  cleanups: Cleanups,
): Promise<void> {
  const { store, telemetry, tracing, settings } = deps;
  const upkeep = {
    afterMs: settings.upkeepAfterMs ?? defaultUpkeepAfterMs,
    run: upkeepRun(deps.caps),
  };
  cleanups.add(engine.close);
  await engine.start({
    deps: (leaseMs) => advanceDeps(deps, leaseMs),
    log: store.log,
    workers: store.workers,
    ...(telemetry || tracing
      ? {
          wrapSegment(runId, segment) {
            const traced = tracing ? () => tracing.segment(segment) : segment;
            return telemetry ? telemetry.segment(runId, traced) : traced();
          },
        }
      : {}),
    sweep: {
      takeRunnable: (request) => store.log.takeRunnable(request),
      expireDue: async () =>
        (await store.approvals.expireDue()) +
        (await store.questions.expireDue()) +
        (await store.clientActions.expireDue()),
      notifyParents: (only) => store.runs.notifyParents(only),
      startUpkeep: () => store.upkeep.start({ ...upkeep, limit: maxUpkeepAtOnce }),
      startDue: () => store.schedules.startDue({ limit: maxStarts, caps: deps.caps }),
      pollWatches: () => pollWatches({ ...deps, pageWatcher: settings.pageWatcher }),
    },
  });
}

function advanceDeps(deps: EngineDeps, leaseMs: number): AdvanceDeps {
  const { settings, store, live, telemetry, tracing, sign, tools, skillLibrary, clock, onProblem } =
    deps;
  return {
    log: store.log,
    threads: store.threads,
    runs: store.runs,
    memory: store.memory,
    upkeep: store.upkeep,
    artifacts: store.artifacts,
    clock,
    ids: { uuid: randomUUID },
    digestText: (text) => `sha256:${hash("sha256", text)}`,
    policy: settings.policy ?? byRules,
    permissions: store.permissions,
    undoMs: async (ownerId, kind) => {
      const seconds = await store.permissions.undoSecondsOf(ownerId, kind);
      return seconds === null ? (settings.undoMs ?? 0) : seconds * 1_000;
    },
    sideEffects: settings.sideEffects ?? true,
    onlyRecipients: settings.onlyRecipients && parseRecipientLimit(settings.onlyRecipients),
    askUses: store.askUses,
    denials: store.denials,
    written: store.written,
    skills: skillLibrary.forRuns,
    onGrantsUsed: (ownerId, grantIds) =>
      void store.permissions
        .countUses(ownerId, grantIds)
        .catch((error: unknown) => onProblem("The use of a grant was not counted", error)),
    tools: tracing ? new Map([...tools].map(([name, tool]) => [name, tracing.tool(tool)])) : tools,
    unavailable: deps.unavailable,
    toolSources: [
      ...(settings.toolSources ?? []),
      ...(deps.toolServers ? [deps.toolServers] : []),
    ].map((source) => (tracing ? tracedSource(source, tracing.tool) : source)),
    modelsFor: tracing
      ? async (ownerId) => tracing.models(await deps.modelsFor(ownerId))
      : deps.modelsFor,
    modelHealth: createModelHealth(clock),
    ...omitUndefined({ auxiliaryRequests: settings.auxiliaryRequests }),
    modelLimits: { ...defaultModelLimits, ...settings.modelLimits },
    leaseMs,
    approvalTtlMs: settings.approvalTtlMs ?? defaultApprovalTtlMs,
    onDelta: live.streamed,
    ...(telemetry || tracing
      ? {
          onClaim(claimed) {
            telemetry?.claimed(claimed);
            tracing?.claimed(claimed);
          },
        }
      : {}),
    onAppend(runId, appended) {
      telemetry?.appended(runId, appended, (name) => tools.has(name));
      live.appended(runId, appended);
    },
    clientSecretHash: (ref) => clientSecretHash(sign, ref),
    proveApproval: async ({ ownerId, approvalId, digest }) =>
      (await store.approvals.usedTokenHash(ownerId, approvalId)) ===
      approvalTokenHash(sign, approvalId, digest),
  };
}

function tracedSource(source: ToolSource, trace: (tool: Tool) => Tool): ToolSource {
  return {
    get isLive() {
      return source.isLive === true;
    },
    toolsFor: async (run) => (await source.toolsFor(run)).map(trace),
  };
}
