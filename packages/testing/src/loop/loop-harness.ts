import { hash, randomUUID } from "node:crypto";
import {
  advance,
  createModelHealth,
  createModelSet,
  createSegmentHandle,
  byRules,
  defaultModelLimits,
  defaultRules,
  type NewRun,
  type AdvanceEnd,
  type AdvanceDeps,
  type AppendRequest,
  type ModelPrice,
  type ModelRoles,
  type RunLog,
  type RunModel,
  type Store,
  type Tool,
} from "@bron/core";
import {
  omitUndefined,
  mergeCaps,
  defaultCaps,
  type Caps,
  type CreateRun,
  type NewEvent,
  type RunEvent,
  type RunView,
} from "@bron/protocol";
import { manualClock, type ManualClock } from "../clock/manual-clock.ts";
import {
  scriptedLanguageModel,
  type Reader,
  type Script,
} from "../models/scripted-language-model.ts";
import { memoryStore } from "@bron/memory-store";

export interface LoopHarness {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly model: ReturnType<typeof scriptedLanguageModel>;
  readonly appends: readonly AppendRequest[];
  create(
    input?: Partial<CreateRun>,
    caps?: Partial<Caps>,
    whose?: Pick<NewRun, "program" | "asTyped" | "retry">,
  ): Promise<RunView>;
  /** Runs one segment. The clock advances in small steps while the segment waits. */
  advance(
    runId: string,
    overrides?: Partial<AdvanceDeps>,
    signal?: AbortSignal,
    wasInterrupted?: boolean,
  ): Promise<AdvanceEnd>;
  events(runId: string): Promise<RunEvent[]>;
  run(runId: string): Promise<RunView>;
  decide(runId: string, approved: boolean, reason?: string): Promise<void>;
  /** Tool results, in the order in which they finished. */
  results(
    runId: string,
  ): Promise<Extract<Extract<NewEvent, { type: "tool" }>["payload"], { phase: "end" }>[]>;
}

export interface LoopHarnessOptions {
  readonly script: Script;
  /** How the models read the owner's words. By default as generously as possible. */
  readonly reader?: Reader;
  readonly tools?: readonly Tool[];
  readonly deps?: Partial<AdvanceDeps>;
  /** By default a new store in memory, on the clock of the harness. */
  readonly store?: Store;
  readonly price?: ModelPrice;
  /** Models for other roles, each with its own script. */
  readonly roles?: (named: (name: string, script: Script) => RunModel) => Partial<ModelRoles>;
}

const ownerId = "local";

/**
 * The loop with a manual clock, by default on a store in memory, so that tests need no database and
 * no sleeps.
 */
export function createLoopHarness({
  script,
  reader,
  tools = [],
  deps = {},
  store: given,
  price,
  roles,
}: LoopHarnessOptions): LoopHarness {
  const clock = manualClock();
  const base = given ?? memoryStore({ now: clock.now });
  const appends: AppendRequest[] = [];
  const store: Store = {
    ...base,
    log: {
      ...base.log,
      append(request) {
        appends.push(request);
        return base.log.append(request);
      },
    },
  };
  const model = scriptedLanguageModel(script, reader);
  const common = { maxOutputTokens: 1_000, ...omitUndefined({ price }) };
  const models = createModelSet({
    main: { ...common, model, name: "scripted" },
    ...roles?.((name, own) => ({ ...common, model: scriptedLanguageModel(own, reader), name })),
  });
  const modelHealth = createModelHealth(clock);
  const events = (runId: string) => store.runs.events(ownerId, runId, 0, 100_000);
  return {
    store,
    clock,
    model,
    appends,
    async create(input = {}, caps = {}, whose = {}) {
      const { run } = await store.runs.create({
        ownerId,
        input: { prompt: "do it", ...input },
        title: "do it",
        ...whose,
        caps: mergeCaps(defaultCaps, caps),
      });
      return run;
    },
    async advance(
      runId,
      overrides = {},
      signal = new AbortController().signal,
      wasInterrupted = false,
    ) {
      const claim = {
        runId,
        worker: "w1",
        leaseMs: 3_600_000,
        takeOverUntil: Date.parse("9999-12-31T00:00:00Z"),
        serves: [],
        maxPerOwner: 100,
        maxInAll: 1_000,
      };
      const hasOwnRules = "permissions" in { ...deps, ...overrides };
      const all: AdvanceDeps = {
        log: hasOwnRules ? withoutRules(store.log) : store.log,
        threads: store.threads,
        runs: store.runs,
        memory: store.memory,
        upkeep: store.upkeep,
        artifacts: store.artifacts,
        clock,
        ids: { uuid: randomUUID },
        digestText: (text) => `sha256:${hash("sha256", text)}`,
        policy: byRules,
        permissions: { rules: () => Promise.resolve(defaultRules) },
        sideEffects: true,
        askUses: store.askUses,
        denials: store.denials,
        written: store.written,
        onGrantsUsed: () => undefined,
        tools: new Map(tools.map((tool) => [tool.name, tool])),
        modelsFor: () => Promise.resolve(models),
        modelHealth,
        modelLimits: defaultModelLimits,
        leaseMs: 3_600_000,
        approvalTtlMs: 60_000,
        onDelta: () => undefined,
        onAppend: () => undefined,
        proveApproval: () => Promise.resolve(true),
        clientSecretHash: ({ actionId }) => Promise.resolve(`hash of ${actionId}`),
        ...deps,
        ...overrides,
      };
      const handle = createSegmentHandle();
      const ending = advance(all, {
        claim,
        signal,
        wasInterrupted,
        handle,
      });
      let hasEnded = false;
      void ending.finally(() => (hasEnded = true)).catch(() => undefined);
      while (!hasEnded) {
        // Real work takes real time, so the clock waits for it. Digests run in order on other
        // threads. These digests finish after the ones started before them.
        await new Promise((resolve) => setTimeout(resolve, 1));
        await Promise.all(
          Array.from({ length: 4 }, () => crypto.subtle.digest("SHA-256", new Uint8Array(1))),
        );
        await clock.pass(100);
      }
      try {
        return await ending;
      } catch (error) {
        // A worker does the same after a failed segment.
        if (handle.lease) await store.log.release(handle.lease, { delayMs: 0, keepCount: true });
        throw error;
      }
    },
    events,
    async run(runId) {
      const run = await store.runs.get(ownerId, runId);
      if (!run) throw new Error(`no run ${runId}`);
      return run;
    },
    async decide(runId, approved, reason) {
      for (const { id, digest } of await store.approvals.list(ownerId, {
        runId,
        pendingOnly: true,
      })) {
        await store.approvals.decide({
          ownerId,
          approvalId: id,
          digest,
          approved,
          ...omitUndefined({ reason }),
        });
      }
    },
    async results(runId) {
      return (await events(runId)).flatMap((event) =>
        event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
      );
    },
  };
}

/** Lets the loop read all rules from the permissions of a test, since the store has none. */
function withoutRules(log: RunLog): RunLog {
  return {
    ...log,
    async append({ needsDenyingRules: _, ...request }) {
      return await log.append(request);
    },
  };
}
