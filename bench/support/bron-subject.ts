import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { AppendRequest, Store } from "@bron/core";
import { chooseModel } from "@bron/models";
import type { Caps } from "@bron/protocol";
import { createRuntime, type PostgresRuntime, type PostgresRuntimeOptions } from "@bron/runtime";
import { measureRuns } from "./measure-runs.ts";
import type { StatementCounter } from "./statements.ts";
import { benchSecretKey, type Subject, type SubjectOrders } from "./subject.ts";
import { benchTools, promptOf, type Task } from "./task.ts";

export const ownerId = "bench";

/**
 * The caps are raised, so that the script alone decides the length of the loop. There is no tail,
 * because the bare loop has none.
 */
const benchCaps: Partial<Caps> = {
  activeMs: 3_600_000,
  modelTurns: 100_000,
  toolCalls: 100_000,
  tailMessages: 0,
};

interface BenchRuntime {
  readonly runtime: PostgresRuntime;
  /** Resolves once the run's log says that it is parked or ended, without a database query. */
  released(runId: string): Promise<void>;
  /** Times in this process, from performance.now(). */
  readonly last: { modelCall: number; effect: number };
  create(task: Task, caps?: Partial<Caps>): Promise<string>;
}

/** Opens Bron as a program would use it, with the model and tools of the benchmarks. */
export async function openBenchRuntime(
  orders: SubjectOrders,
  options: Partial<PostgresRuntimeOptions> & {
    readonly onAppend?: (request: AppendRequest, lastSeq: number) => void;
  } = {},
): Promise<BenchRuntime> {
  const { onAppend, ...rest } = options;
  const { model, modelId, maxOutputTokens } = chooseModel({ demoBaseUrl: orders.modelUrl });
  const last = { modelCall: 0, effect: 0 };
  const released = new Map<string, PromiseWithResolvers<void>>();
  const releaseOf = (runId: string) => {
    const found = released.get(runId) ?? Promise.withResolvers<void>();
    released.set(runId, found);
    return found;
  };
  const watched = (store: Store): Store => ({
    ...store,
    log: {
      ...store.log,
      async append(request) {
        const result = await store.log.append(request);
        if (result.ok) onAppend?.(request, result.lastSeq);
        if (result.ok && request.release) releaseOf(request.lease.runId).resolve();
        return result;
      },
    },
  });
  const runtime = await createRuntime({
    databaseUrl: orders.databaseUrl,
    secretKey: benchSecretKey,
    model: {
      model: timed(model, () => (last.modelCall = performance.now())),
      name: modelId,
      maxOutputTokens,
    },
    tools: benchTools(() => (last.effect = performance.now())),
    wrap: watched,
    onProblem: (message, error) => console.error(`bron: ${message}`, error ?? ""),
    ...rest,
  });
  return {
    runtime,
    last,
    async released(runId) {
      await releaseOf(runId).promise;
      released.delete(runId);
    },
    async create(task, caps = benchCaps) {
      const { id } = await runtime
        .clientFor(ownerId)
        .call("POST /api/runs", { body: { prompt: promptOf(task), caps } });
      return id;
    },
  };
}

function timed(model: LanguageModelV4, onCall: () => void): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(options),
    doStream(options) {
      onCall();
      return model.doStream(options);
    },
  };
}

export async function openBronSubject(
  orders: SubjectOrders,
  statements: StatementCounter,
): Promise<Subject> {
  const { runtime, last, released, create } = await openBenchRuntime(orders);

  const run = async (steps: number, subscribed: boolean) => {
    const runId = await create({ steps });
    if (subscribed) for await (const _event of runtime.clientFor(ownerId).events(runId));
    await released(runId);
  };

  const approvalOf = async (runId: string) => {
    const [approval] = await runtime
      .clientFor(ownerId)
      .list("GET /api/approvals", { runId, pending: "true" });
    if (!approval) throw new Error(`Run ${runId} asks for no approval`);
    return approval;
  };

  return {
    runs: ({ steps, count, subscribed = false }) =>
      measureRuns(statements, async () => {
        await Promise.all(Array.from({ length: count }, () => run(steps, subscribed)));
      }),
    async approvals(count) {
      const samples: number[] = [];
      for (let sample = 0; sample < count; sample++) {
        const runId = await create({ steps: 2, tool: "send" });
        await released(runId);
        const { id, digest } = await approvalOf(runId);
        const startedAt = performance.now();
        await runtime
          .clientFor(ownerId)
          .call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } });
        await released(runId);
        samples.push(last.effect - startedAt);
      }
      return samples;
    },
    close: runtime.close,
  };
}
