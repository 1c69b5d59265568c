import { createLoopBench, type ScriptedAnswer } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import type { Policy } from "../ports.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Reconciliation } from "../tool/tool.ts";

const input = z.object({ to: z.string() });
const say = (answers: ScriptedAnswer[]) => ({ turn }: { turn: number }) => answers[turn] ?? { text: "Done." };
const sendOnce = say([{ calls: [{ tool: "send", input: { to: "eva" } }] }]);

interface SendOptions {
  readonly execute?: (attempt: number) => Promise<string>;
  readonly reconcile?: (attempt: number) => Promise<Reconciliation>;
  readonly timeoutMs?: number;
}

/** A bench with one side-effect tool whose world is a list. */
function sendingBench({ execute, reconcile, timeoutMs = 5_000 }: SendOptions = {}, policy?: Policy) {
  const sent: string[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input,
    sideEffect: true,
    timeoutMs,
    prepare: ({ to }) => ({ prepared: { to, body: `Dear ${to}` }, preview: `To ${to}` }),
    async execute(prepared, context) {
      const answer = await execute?.(context.attempt);
      sent.push(`${prepared.to} ${context.attempt}`);
      return answer ?? "sent";
    },
    ...(reconcile ? { reconcile: (_prepared: { to: string; body: string }, context: { attempt: number }) => reconcile(context.attempt) } : {}),
  });
  const bench = createLoopBench({ script: sendOnce, tools: [send], ...(policy ? { parts: { policy } } : {}) });
  return { bench, sent };
}

const effects = async ({ bench }: ReturnType<typeof sendingBench>, runId: string) => (await bench.store.runs.effects("local", runId)).map(({ state, attempts }) => ({ state, attempts }));

describe("an effect", () => {
  it("BR14 parks the run with an approval bound to the digest of its prepared form, and nothing stays running", async () => {
    const lab = sendingBench();
    const run = await lab.bench.create();
    expect(await lab.bench.advance(run.id)).toBe("parked");
    expect(await lab.bench.run(run.id)).toMatchObject({ status: "awaiting_confirmation" });
    const [approval] = await lab.bench.store.approvals.list("local", { runId: run.id });
    expect(approval).toMatchObject({ state: "pending", tool: "send", preview: "To eva", prepared: { to: "eva", body: "Dear eva" }, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) });
    expect(lab.sent).toEqual([]);
    expect(await lab.bench.advance(run.id)).toEqual({ notClaimed: "not_runnable" });
  });

  it("BR14 is done once after the approval, with an attempt in the ledger before and an outcome after", async () => {
    const lab = sendingBench();
    const run = await lab.bench.create();
    await lab.bench.advance(run.id);
    await lab.bench.decide(run.id, true);
    expect(await lab.bench.advance(run.id)).toBe("ended");
    expect(lab.sent).toEqual(["eva 1"]);
    expect(await effects(lab, run.id)).toEqual([{ state: "done", attempts: 1 }]);
    const states = (await lab.bench.events(run.id)).flatMap(({ type, payload }) => (type === "effect" ? [payload.state] : []));
    expect(states).toEqual(["awaiting_confirmation", "attempting", "done"]);
    expect(await lab.bench.store.approvals.list("local", {})).toMatchObject([{ state: "used" }]);
  });

  it("tells the model why it was declined, and goes on", async () => {
    const lab = sendingBench();
    const run = await lab.bench.create();
    await lab.bench.advance(run.id);
    await lab.bench.decide(run.id, false, "wrong person");
    await lab.bench.advance(run.id);
    expect(lab.sent).toEqual([]);
    expect(lab.bench.model.calls[1]?.prompt.at(-1)).toMatchObject({ role: "tool", content: [{ output: { type: "execution-denied", reason: "The user declined: wrong person" } }] });
    expect(await lab.bench.run(run.id)).toMatchObject({ status: "completed" });
    expect(await effects(lab, run.id)).toEqual([{ state: "rejected", attempts: 0 }]);
  });

  it("expires undecided, and also when it was approved but not used in time", async () => {
    for (const approveFirst of [false, true]) {
      const lab = sendingBench();
      const run = await lab.bench.create();
      await lab.bench.advance(run.id);
      if (approveFirst) await lab.bench.decide(run.id, true);
      await lab.bench.clock.pass(61_000);
      if (!approveFirst) expect(await lab.bench.store.approvals.expireDue()).toBe(1);
      await lab.bench.advance(run.id);
      expect(lab.sent).toEqual([]);
      expect(await effects(lab, run.id)).toEqual([{ state: "expired", attempts: 0 }]);
      expect(await lab.bench.run(run.id)).toMatchObject({ status: "completed" });
    }
  });

  it("follows the policy: allowed runs unasked, denied is told with its reason", async () => {
    const allowed = sendingBench({}, () => ({ verdict: "allow", reasons: ["A rule allows it."] }));
    const first = await allowed.bench.create();
    expect(await allowed.bench.advance(first.id)).toBe("ended");
    expect(allowed.sent).toEqual(["eva 1"]);
    const denied = sendingBench({}, () => ({ verdict: "deny", reasons: ["Not on Sundays."] }));
    const second = await denied.bench.create();
    expect(await denied.bench.advance(second.id)).toBe("ended");
    expect(denied.sent).toEqual([]);
    expect(await denied.bench.results(second.id)).toMatchObject([{ outcome: "rejected", error: { message: "A rule does not allow it: Not on Sundays." } }]);
  });

  it("BR18 is tried again only after an answer that proves that nothing happened", async () => {
    const lab = sendingBench({ execute: (attempt) => (attempt < 3 ? Promise.reject(new BronError("effect_not_done", "429", { details: { retryable: true } })) : Promise.resolve("ok")) });
    const run = await lab.bench.create();
    await lab.bench.advance(run.id);
    await lab.bench.decide(run.id, true);
    await lab.bench.advance(run.id);
    expect(lab.sent).toEqual(["eva 3"]);
    expect(await effects(lab, run.id)).toEqual([{ state: "done", attempts: 3 }]);
    const refused = sendingBench({ execute: () => Promise.reject(new BronError("effect_not_done", "400")) });
    const second = await refused.bench.create();
    await refused.bench.advance(second.id);
    await refused.bench.decide(second.id, true);
    await refused.bench.advance(second.id);
    expect(await effects(refused, second.id)).toEqual([{ state: "failed", attempts: 1 }]);
  });

  it.each([
    ["done", { state: "done", output: "found" }, "completed", [{ state: "done", attempts: 1 }]],
    ["unknown", { state: "unknown", check: "Look in Sent." }, "unknown", [{ state: "unknown", attempts: 1 }]],
  ] as const)("X2 is settled by reconcile after an unclear answer: %s", async (_name, answer, outcome, ledger) => {
    const lab = sendingBench({ execute: () => Promise.reject(new TypeError("socket hang up")), reconcile: () => Promise.resolve(answer) });
    const run = await lab.bench.create();
    await lab.bench.advance(run.id);
    await lab.bench.decide(run.id, true);
    const before = lab.bench.clock.now();
    await lab.bench.advance(run.id);
    expect(lab.bench.clock.now() - before, "not before the deadline").toBeGreaterThanOrEqual(5_000);
    expect(await lab.bench.results(run.id)).toMatchObject([{ outcome }]);
    expect(await effects(lab, run.id)).toEqual(ledger);
  });

  it("X2 is done anew when reconcile proves that nothing happened, and is unknown when there is no reconcile", async () => {
    const lab = sendingBench({ execute: (attempt) => (attempt === 1 ? new Promise(() => undefined) : Promise.resolve("ok")), reconcile: () => Promise.resolve({ state: "not_done" }) });
    const run = await lab.bench.create();
    await lab.bench.advance(run.id);
    await lab.bench.decide(run.id, true);
    await lab.bench.advance(run.id);
    expect(lab.sent).toEqual(["eva 2"]);
    const silent = sendingBench({ execute: () => new Promise(() => undefined) });
    const second = await silent.bench.create();
    await silent.bench.advance(second.id);
    await silent.bench.decide(second.id, true);
    await silent.bench.advance(second.id);
    expect(await effects(silent, second.id)).toEqual([{ state: "unknown", attempts: 1 }]);
    expect((await silent.bench.events(second.id)).some(({ type, payload }) => type === "ui" && payload.kind === "UnknownEffectCard")).toBe(true);
    expect(JSON.stringify(silent.bench.model.calls[1]?.prompt.at(-1))).toContain("Do not do it again");
  });

  it("X7 is withdrawn when the run is stopped while it waits, and left to end when it has begun", async () => {
    const waiting = sendingBench();
    const first = await waiting.bench.create();
    await waiting.bench.advance(first.id);
    await waiting.bench.store.runs.requestCancel("local", first.id);
    await waiting.bench.advance(first.id);
    expect(await waiting.bench.run(first.id)).toMatchObject({ status: "canceled" });
    expect(await effects(waiting, first.id)).toEqual([{ state: "canceled", attempts: 0 }]);
    const begun = sendingBench({
      async execute() {
        await begun.bench.store.runs.requestCancel("local", second.id);
        await begun.bench.clock.sleep(1_000);
        return "ok";
      },
    });
    const second = await begun.bench.create();
    await begun.bench.advance(second.id);
    await begun.bench.decide(second.id, true);
    await begun.bench.advance(second.id);
    expect(begun.sent).toEqual(["eva 1"]);
    expect(await effects(begun, second.id)).toEqual([{ state: "done", attempts: 1 }]);
    expect(await begun.bench.run(second.id)).toMatchObject({ status: "canceled" });
  });
});

describe("money", () => {
  const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 };
  const forever = ({ turn }: { turn: number }) => ({ text: `turn ${turn}`, calls: [{ tool: "nothing", input: {} }], usage: { input: 500, output: 100 } });
  const nothing = defineTool({ name: "nothing", description: "Does nothing.", input: z.object({}), repeatable: true, execute: () => null });

  it("X6 is reserved before a call and settled after; a call that could exceed the run's cap is not made", async () => {
    const bench = createLoopBench({ script: forever, tools: [nothing], price });
    const run = await bench.create({}, { costMicrousd: 8_000 });
    await bench.advance(run.id);
    const ended = await bench.run(run.id);
    expect(ended).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
    expect(ended.spentMicrousd).toBe(600 * bench.model.calls.length);
    expect(ended.spentMicrousd).toBeLessThanOrEqual(8_000);
    for (const { payload } of (await bench.events(run.id)).filter(({ type }) => type === "step")) if ("reservedMicrousd" in payload) expect(payload.reservedMicrousd).toBeGreaterThan(600);
  });

  it("X6 without a price refuses when there is a cap", async () => {
    const bench = createLoopBench({ script: forever, tools: [nothing] });
    const run = await bench.create({}, { costMicrousd: 1_000_000 });
    await bench.advance(run.id);
    expect(await bench.run(run.id)).toMatchObject({ status: "failed", error: { code: "price_unknown" } });
    expect(bench.model.calls).toHaveLength(0);
  });

  it("X6 of an owner is drawn by runs, and what a run did not use goes back", async () => {
    const bench = createLoopBench({ script: ({ turn }) => (turn < 3 ? forever({ turn }) : { text: "Done.", usage: { input: 500, output: 100 } }), tools: [nothing], price });
    await bench.store.budgets.setOwnerCap("local", 50_000);
    const run = await bench.create();
    await bench.advance(run.id);
    expect(await bench.run(run.id)).toMatchObject({ status: "completed", spentMicrousd: 2_400 });
    expect(await bench.store.budgets.ownerSpending("local")).toEqual({ capMicrousd: 50_000, drawnMicrousd: 2_400 });
    await bench.store.budgets.setOwnerCap("local", 3_000);
    const next = await bench.create();
    await bench.advance(next.id);
    expect(await bench.run(next.id)).toMatchObject({ status: "failed", error: { code: "budget_exhausted" } });
  });

  it("X6 of a call whose end was never seen stays charged in full", async () => {
    const bench = createLoopBench({ script: () => new ReadableStream({ pull: (controller) => controller.error(new TypeError("cut")) }), price });
    const run = await bench.create({}, { costMicrousd: 1_000_000 });
    await bench.advance(run.id);
    const reserved = (await bench.events(run.id)).flatMap(({ type, payload }) => (type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : []));
    expect(reserved).toHaveLength(4);
    expect(await bench.run(run.id)).toMatchObject({ status: "failed", error: { code: "model_unavailable" }, spentMicrousd: reserved.reduce((sum, one) => sum + one, 0) });
  });
});
