import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { auditEntries } from "../audit/audit-entries.ts";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { EffectContext, Reconciliation } from "../tool/tool.ts";

const timeoutMs = 60_000;

/** A run whose approved effect was interrupted: its worker died while the request was under way. */
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
  expect(await harness.advance(run.id, as(harness, "first"), dying.signal)).toBe("let_go");
  return { harness, runId: run.id, attempts, looks: () => looks };
}

/** Every worker has a name and a short lease of its own, so that the next one takes over from it. */
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

/** A worker that takes the run over and dies before it wrote anything. */
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
  expect(await harness.advance(runId, as(harness, worker), dying.signal)).toBe("let_go");
}

const linesOf = async (harness: LoopHarness, runId: string) =>
  (await harness.events(runId)).flatMap((event) =>
    event.type === "log" ? [event.payload.message] : [],
  );

describe("an interrupted effect", () => {
  it("X2 is looked into and done, however many workers die while it waits for its deadline", async () => {
    const { harness, runId, attempts, looks } = await interruptedRun(() => ({ state: "not_done" }));
    for (const worker of ["second", "third", "fourth", "fifth", "sixth"])
      await dieAfter(harness, runId, { worker, ms: 4_000 });
    expect(looks()).toBe(0);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId)).toBe("ended");
    expect(await harness.run(runId)).toMatchObject({ status: "completed", notDone: 0 });
    expect({ attempts, looks: looks() }).toEqual({ attempts: [1, 2], looks: 1 });
    expect((await linesOf(harness, runId))[0]).toMatch(
      /^send was interrupted\. Bron will check in \d+ s whether it happened\.$/,
    );
  });

  it("X2 is looked into before the run is given up", async () => {
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
      error: { code: "run_poisoned" },
    });
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "done" }]);
    expect({ attempts, looks: looks() }).toEqual({ attempts: [1], looks: 1 });
  });

  it("X2 that provably did not happen is not begun again by a run that is given up", async () => {
    const { harness, runId, attempts } = await interruptedRun(() => ({ state: "not_done" }));
    await harness.clock.pass(timeoutMs);
    for (const worker of ["second", "third", "fourth"]) await dieAtOnce(harness, runId, worker);
    await harness.clock.pass(2_000);
    expect(await harness.advance(runId, as(harness, "fifth"))).toBe("ended");
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "canceled" }]);
    expect(attempts).toEqual([1]);
  });

  it("X2 ends as unknown when looking into it kills every worker", async () => {
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
      error: { code: "run_poisoned" },
    });
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "unknown" }]);
  });

  it("X2 is looked into again as often as workers die meanwhile, up to a limit, and each look is marked before it begins", async () => {
    let dying = new AbortController();
    const { harness, runId, looks } = await interruptedRun(() => {
      dying.abort(new BronError("lease_lost", "The worker died"));
      return new Promise<never>(() => undefined);
    });
    await harness.clock.pass(timeoutMs);
    for (let look = 1; look <= 20; look++) {
      expect(await harness.advance(runId, as(harness, `worker ${look}`), dying.signal)).toBe(
        "let_go",
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

  it("X2 keeps what a look found for the next one, if the worker dies before the look ends", async () => {
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
    expect(await harness.advance(runId, as(harness, "second"), dying.signal)).toBe("let_go");
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

  it("X2 lets a look keep its evidence while the worker shuts down, and writes down how it ended", async () => {
    const leaving = new AbortController();
    const { harness, runId } = await interruptedRun(async ({ keepEvidence }) => {
      leaving.abort(new BronError("interrupted", "The worker shuts down"));
      await keepEvidence({ wasThere: true });
      return { state: "done", output: "sent" };
    });
    await harness.clock.pass(timeoutMs);
    const begunAt = harness.clock.monotonic();
    expect(await harness.advance(runId, as(harness, "second"), leaving.signal)).toBe("let_go");
    expect(harness.clock.monotonic() - begunAt).toBeLessThan(5_000);
    expect(await harness.store.runs.effects("local", runId)).toMatchObject([{ state: "done" }]);
  });

  it("X2 gives a look that failed and is tried again what it kept before", async () => {
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

  it("begins another attempt without the evidence of the one before", async () => {
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

  it("X7 is looked into when the run is stopped after its worker died, and not taken for doubt at once", async () => {
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
