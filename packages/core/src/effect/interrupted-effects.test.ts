import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { auditEntries } from "../audit/audit-entries.ts";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { EffectContext, Reconciliation } from "../tool/tool.ts";

const timeoutMs = 60_000;

/** A run whose worker died while the request of its approved effect was in flight. */
async function interruptedRun(
  reconcile: (context: EffectContext) => Reconciliation | Promise<Reconciliation>,
) {
  const attempts: number[] = [];
  let looks = 0;
  const dying = new AbortController();
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    timeoutMs,
    async execute(_prepared, { attempt }) {
      attempts.push(attempt);
      if (attempt > 1) return "sent";
      dying.abort(new BronError("lease_lost", "The worker died"));
      return await new Promise<never>(() => undefined);
    },
    reconcile: async (_prepared, context) => {
      looks++;
      return await reconcile(context);
    },
  });
  const script = ({ turn }: { turn: number }) =>
    turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Finished." };
  const harness = createLoopHarness({ script, tools: [send], deps: { approvalTtlMs: 3_600_000 } });
  const run = await harness.create();
  await harness.advance(run.id);
  await harness.decide(run.id, true);
  expect(await harness.advance(run.id, as(harness, "first"), dying.signal)).toBe("released");
  return { harness, runId: run.id, attempts, looks: () => looks };
}

/** Every worker has its own name and a short lease, so that the next one can take over. */
function as({ store: { log } }: LoopHarness, worker: string) {
  return {
    leaseMs: 1_000,
    log: {
      ...log,
      claim: (request: Parameters<typeof log.claim>[0]) =>
        log.claim({ ...request, worker, leaseMs: 1_000 }),
    },
  };
}

/** A worker that takes the run over and dies before it writes anything. */
async function dieAtOnce(
  { store, clock }: LoopHarness,
  runId: string,
  worker: string,
): Promise<void> {
  await clock.pass(2_000);
  expect(
    await store.log.claim({
      runId,
      worker,
      leaseMs: 1_000,
      takeOverUntil: Number.MAX_SAFE_INTEGER,
      serves: [],
      maxPerOwner: 100,
      maxInAll: 100,
    }),
  ).toMatchObject({ claimed: true });
}

/** A worker that takes the run over and dies some seconds later. */
async function dieAfter(
  harness: LoopHarness,
  runId: string,
  { worker, ms }: { worker: string; ms: number },
): Promise<void> {
  await harness.clock.pass(2_000);
  const dying = new AbortController();
  void harness.clock
    .sleep(ms)
    .then(() => dying.abort(new BronError("lease_lost", "The worker died")));
  expect(await harness.advance(runId, as(harness, worker), dying.signal)).toBe("released");
}

const linesOf = async (harness: LoopHarness, runId: string) =>
  (await harness.events(runId)).flatMap((event) => (event.type === "log" ? [event.payload] : []));

describe("an interrupted effect", () => {
  it("X2 is reconciled and done, however many workers die before its deadline", async () => {
    const { harness, runId, attempts, looks } = await interruptedRun(() => ({ state: "not_done" }));
    for (const worker of ["second", "third", "fourth", "fifth", "sixth"])
      await dieAfter(harness, runId, { worker, ms: 4_000 });
    expect(looks()).toBe(0);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId)).toBe("ended");
    expect(await harness.run(runId)).toMatchObject({ status: "completed", notDone: 0 });
    expect({ attempts, looks: looks() }).toEqual({ attempts: [1, 2], looks: 1 });
    expect((await linesOf(harness, runId))[0]).toMatchObject({
      kind: "effect_interrupted",
      tool: "send",
      delayMs: expect.any(Number),
    });
  });

  it("X2 is reconciled before the run is given up", async () => {
    const { harness, runId, attempts, looks } = await interruptedRun(() => ({
      state: "done",
      output: "sent",
    }));
    await harness.clock.pass(timeoutMs);
    for (const worker of ["second", "third", "fourth"]) await dieAtOnce(harness, runId, worker);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "fifth"))).toBe("ended");
    expect(await harness.run(runId)).toMatchObject({
      status: "failed",
      error: { code: "run_keeps_failing" },
    });
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "done" }]);
    expect({ attempts, looks: looks() }).toEqual({ attempts: [1], looks: 1 });
  });

  it("X2 that provably did not happen is not started again by a run that is given up", async () => {
    const { harness, runId, attempts } = await interruptedRun(() => ({ state: "not_done" }));
    await harness.clock.pass(timeoutMs);
    for (const worker of ["second", "third", "fourth"]) await dieAtOnce(harness, runId, worker);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "fifth"))).toBe("ended");
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "canceled" }]);
    expect(attempts).toEqual([1]);
  });

  it("X2 ends as unknown when reconciling kills every worker", async () => {
    const { harness, runId, looks } = await interruptedRun(() => ({
      state: "done",
      output: "sent",
    }));
    await harness.clock.pass(timeoutMs);
    for (const worker of ["second", "third", "fourth", "fifth", "sixth", "seventh"])
      await dieAtOnce(harness, runId, worker);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "eighth"))).toBe("ended");
    expect(looks()).toBe(0);
    expect(await harness.run(runId)).toMatchObject({
      status: "failed",
      error: { code: "run_keeps_failing" },
    });
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "unknown" }]);
  });

  it("X2 is reconciled again after each worker death up to a limit, and each try is logged before it starts", async () => {
    let dying = new AbortController();
    const { harness, runId, looks } = await interruptedRun(() => {
      dying.abort(new BronError("lease_lost", "The worker died"));
      return new Promise<never>(() => undefined);
    });
    await harness.clock.pass(timeoutMs);
    for (let look = 1; look <= 20; look++) {
      expect(await harness.advance(runId, as(harness, `worker ${look}`), dying.signal)).toBe(
        "released",
      );
      dying = new AbortController();
      await harness.clock.pass(2_000);
    }
    expect(await harness.advance(runId, as(harness, "last"))).toBe("ended");
    expect(looks()).toBe(20);
    const events = await harness.events(runId);
    expect(
      events.flatMap((event) =>
        event.type === "effect" && event.payload.look !== undefined ? [event.payload.look] : [],
      ),
    ).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "unknown" }]);
    expect(events.flatMap((event) => (event.type === "ui" ? [event.payload.kind] : []))).toEqual([
      "ApprovalCard",
      "UnknownEffectCard",
      "RunSummaryCard",
    ]);
    expect(await harness.run(runId)).toMatchObject({ status: "completed", notDone: 1 });
  });

  it("X2 keeps the evidence of a reconcile call for the next one if the worker dies during it", async () => {
    const found: unknown[] = [];
    const dying = new AbortController();
    const { harness, runId, attempts } = await interruptedRun(
      async ({ attempt, evidence, keepEvidence }) => {
        found.push([attempt, evidence]);
        if (evidence !== undefined) return { state: "not_done" };
        await keepEvidence({ wasThere: true });
        dying.abort(new BronError("lease_lost", "The worker died"));
        return await new Promise<never>(() => undefined);
      },
    );
    await harness.clock.pass(timeoutMs);
    expect(await harness.advance(runId, as(harness, "second"), dying.signal)).toBe("released");
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "third"))).toBe("ended");
    expect(found).toEqual([
      [1, undefined],
      [1, { wasThere: true }],
    ]);
    expect(attempts).toEqual([1, 2]);
    expect(
      auditEntries(await harness.events(runId)).filter(({ what }) => what === "effect.attempting"),
    ).toHaveLength(2);
  });

  it("X2 lets a reconcile call save its evidence during shutdown, and records its outcome", async () => {
    const shutdown = new AbortController();
    const { harness, runId } = await interruptedRun(async ({ keepEvidence }) => {
      shutdown.abort(new BronError("interrupted", "The worker shuts down"));
      await keepEvidence({ wasThere: true });
      return { state: "done", output: "sent" };
    });
    await harness.clock.pass(timeoutMs);
    const begunAt = harness.clock.monotonic();
    expect(await harness.advance(runId, as(harness, "second"), shutdown.signal)).toBe("released");
    expect(harness.clock.monotonic() - begunAt).toBeLessThan(5_000);
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "done" }]);
  });

  it("X2 gives a repeated reconcile call the evidence that the failed one saved", async () => {
    const found: unknown[] = [];
    const { harness, runId } = await interruptedRun(async ({ evidence, keepEvidence }) => {
      found.push(evidence);
      if (evidence !== undefined) return { state: "done", output: "sent" };
      await keepEvidence({ wasThere: true });
      throw new Error("500");
    });
    await harness.clock.pass(timeoutMs);
    expect(await harness.advance(runId, as(harness, "second"))).toBe("ended");
    expect(found).toEqual([undefined, { wasThere: true }]);
  });

  it("X2 ignores evidence that a reconcile call saves after its time limit", async () => {
    let keepLate: EffectContext["keepEvidence"] | undefined;
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ to: z.string() }),
      sideEffect: true,
      execute: () => Promise.reject(new Error("connection reset")),
      reconcile(_prepared, { keepEvidence }) {
        keepLate = keepEvidence;
        return new Promise<never>(() => undefined);
      },
    });
    const harness = createLoopHarness({
      async script({ turn }) {
        if (turn === 0) return { calls: [{ tool: "send", input: { to: "eva" } }] };
        void keepLate?.({ wasThere: true });
        await harness.clock.sleep(1_000);
        return { text: "Finished." };
      },
      tools: [send],
      deps: { approvalTtlMs: 3_600_000 },
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(keepLate).toBeDefined();
    expect(await harness.store.runs.effects("local", run.id)).toMatchObject([{ state: "unknown" }]);
    expect(JSON.stringify(await harness.events(run.id))).not.toContain("wasThere");
  });

  it("starts another attempt without the evidence of the previous one", async () => {
    const found: unknown[] = [];
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({ to: z.string() }),
      sideEffect: true,
      execute: () => Promise.reject(new Error("connection reset")),
      reconcile: async (_prepared, { attempt, evidence, keepEvidence }) => {
        found.push([attempt, evidence]);
        await keepEvidence({ attempt });
        return attempt < 3 ? { state: "not_done" } : { state: "done", output: "sent" };
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "send", input: { to: "eva" } }] } : { text: "Finished." },
      tools: [send],
      deps: { approvalTtlMs: 3_600_000 },
    });
    const run = await harness.create();
    await harness.advance(run.id);
    await harness.decide(run.id, true);
    expect(await harness.advance(run.id)).toBe("ended");
    expect(found).toEqual([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]);
  });

  it("X7 is reconciled when the run is canceled after its worker died, before it counts as unknown", async () => {
    const { harness, runId, attempts, looks } = await interruptedRun(() => ({
      state: "done",
      output: "sent",
    }));
    await harness.store.runs.requestCancel("local", runId);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "second"))).toBe("ended");
    expect(await harness.run(runId)).toMatchObject({ status: "canceled" });
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "done" }]);
    expect({ attempts, looks: looks() }).toEqual({ attempts: [1], looks: 1 });
  });
});
