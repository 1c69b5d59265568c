import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineClientTool } from "../tool/define-client-tool.ts";

const ownerId = "local";
const deadlineMs = 60_000;

interface Options {
  readonly sideEffect?: boolean;
  readonly ifExpired?: "failed" | "unknown";
}

/** A run that lets a page fill in a form, then ends. */
function open({ sideEffect = false, ifExpired = "unknown" }: Options = {}): LoopHarness {
  const fill = defineClientTool({
    name: "fill",
    description: "Fills in a form.",
    input: z.object({ name: z.string().default("Eva") }),
    output: z.object({ filled: z.number() }),
    program: "page",
    deadlineMs,
    ifExpired,
    sideEffect,
  });
  return createLoopHarness({
    script: ({ turn }) =>
      turn === 0 ? { calls: [{ tool: "fill", input: {} }] } : { text: "Done." },
    tools: [fill],
  });
}

async function start(loop: LoopHarness) {
  const run = await loop.create();
  expect(await loop.advance(run.id)).toBe("parked");
  const [action] = await loop.store.clientActions.list(ownerId, {});
  return { run, ref: { runId: run.id, actionId: action?.id ?? "" }, action: action! };
}

const take = (loop: LoopHarness, ref: { runId: string; actionId: string }) =>
  loop.store.clientActions.take(ownerId, { ...ref, takenBy: "tab" });
const finish = (
  loop: LoopHarness,
  ref: { runId: string; actionId: string },
  report: { result: { filled: number | string } } | { error: string } = { result: { filled: 3 } },
) =>
  loop.store.clientActions.finish(ownerId, {
    ...ref,
    secretHash: `hash of ${ref.actionId}`,
    ...report,
  });
const expire = async (loop: LoopHarness) => {
  await loop.clock.pass(deadlineMs);
  expect(await loop.store.clientActions.expireDue()).toBe(1);
};
const resultOf = async (loop: LoopHarness, runId: string) => {
  expect(await loop.advance(runId)).toBe("ended");
  const results = await loop.results(runId);
  expect(results).toHaveLength(1);
  return results[0];
};

describe("a client action", () => {
  it("parks the run, and what the program sends is the tool's result with its label", async () => {
    const loop = open();
    const { run, ref, action } = await start(loop);
    expect(action).toMatchObject({ state: "pending", program: "page", input: { name: "Eva" } });
    expect(await loop.run(run.id)).toMatchObject({ status: "executing", runnable: false });
    await take(loop, ref);
    expect(await loop.advance(run.id)).toBe("parked");
    await finish(loop, ref);
    const result = await resultOf(loop, run.id);
    expect(result).toMatchObject({ outcome: "completed", output: { filled: 3 } });
    // A result without a label counts as untrusted and private.
    expect(result).not.toHaveProperty("label");
    expect(await loop.run(run.id)).toMatchObject({ status: "completed" });
  });

  it("fails with the program's words, which are not trusted", async () => {
    const loop = open();
    const { run, ref } = await start(loop);
    await take(loop, ref);
    await finish(loop, ref, { error: "There is no form." });
    const result = await resultOf(loop, run.id);
    expect(result).toMatchObject({
      outcome: "failed",
      error: { code: "tool_failed", message: "There is no form." },
    });
    expect(result).not.toHaveProperty("label");
  });

  it.each([
    ["failed", "failed"],
    ["unknown", "unknown"],
  ] as const)(
    "that a program took is %s at the deadline as declared",
    async (ifExpired, outcome) => {
      const loop = open({ ifExpired });
      const { run, ref } = await start(loop);
      await take(loop, ref);
      expect(await loop.advance(run.id)).toBe("parked");
      await expire(loop);
      expect(await resultOf(loop, run.id)).toMatchObject({
        outcome,
        error: { why: { code: "client_late", program: "page" } },
      });
      await expect(finish(loop, ref)).rejects.toMatchObject({ code: "conflict" });
    },
  );

  it("that no program took fails at the deadline", async () => {
    const loop = open();
    const { run } = await start(loop);
    await expire(loop);
    expect(await resultOf(loop, run.id)).toMatchObject({
      outcome: "failed",
      error: { code: "tool_timeout", why: { code: "client_absent" } },
    });
  });

  it("fails if its result does not fit the tool", async () => {
    const loop = open();
    const { run, ref } = await start(loop);
    await take(loop, ref);
    await finish(loop, ref, { result: { filled: "three" } });
    expect(await resultOf(loop, run.id)).toMatchObject({
      outcome: "failed",
      error: { why: { code: "result_invalid" } },
    });
  });

  it.each([
    ["that no program took is canceled", { taken: false }, "canceled"],
    ["that a program took may have happened", { taken: true }, "unknown"],
    ["that a program finished keeps its result", { taken: true, finished: true }, "completed"],
  ])(
    "%s when the run is canceled",
    async (_what, { taken, finished = false }: { taken: boolean; finished?: boolean }, outcome) => {
      const loop = open();
      const { run, ref } = await start(loop);
      if (taken) await take(loop, ref);
      if (finished) await finish(loop, ref);
      await loop.store.runs.requestCancel(ownerId, run.id);
      expect(await resultOf(loop, run.id)).toMatchObject({ outcome });
      expect(await loop.run(run.id)).toMatchObject({ status: "canceled" });
      expect(await loop.store.clientActions.get(ownerId, ref)).toMatchObject({
        state: finished ? "finished" : "canceled",
      });
      await expect(finish(loop, ref)).rejects.toMatchObject({ code: "conflict" });
    },
  );
});

describe("a client action that is an effect", () => {
  const approve = async (loop: LoopHarness) => {
    const run = await loop.create();
    expect(await loop.advance(run.id)).toBe("parked");
    expect(await loop.store.clientActions.list(ownerId, {})).toEqual([]);
    await loop.decide(run.id, true);
    expect(await loop.advance(run.id)).toBe("parked");
    const [action] = await loop.store.clientActions.list(ownerId, {});
    return { run, ref: { runId: run.id, actionId: action?.id ?? "" } };
  };

  it("reaches the program only after the approval, in the approved form", async () => {
    const loop = open({ sideEffect: true });
    const { run, ref } = await approve(loop);
    expect(await loop.store.clientActions.get(ownerId, ref)).toMatchObject({
      input: { name: "Eva" },
    });
    await take(loop, ref);
    await finish(loop, ref);
    expect(await resultOf(loop, run.id)).toMatchObject({ outcome: "completed" });
    expect(await loop.store.runs.effects(ownerId, run.id)).toMatchObject([
      { state: "done", outcome: { filled: 3 } },
    ]);
  });

  it("never reaches the program if the owner denies it", async () => {
    const loop = open({ sideEffect: true });
    const run = await loop.create();
    await loop.advance(run.id);
    await loop.decide(run.id, false);
    expect(await resultOf(loop, run.id)).toMatchObject({ outcome: "rejected" });
    expect(await loop.store.clientActions.list(ownerId, {})).toEqual([]);
  });

  it.each([
    ["unknown", "unknown"],
    ["failed", "failed"],
  ] as const)("is %s in the ledger at the deadline as declared", async (ifExpired, state) => {
    const loop = open({ sideEffect: true, ifExpired });
    const { run, ref } = await approve(loop);
    await take(loop, ref);
    await expire(loop);
    expect(await resultOf(loop, run.id)).toMatchObject({ outcome: state });
    expect(await loop.store.runs.effects(ownerId, run.id)).toMatchObject([{ state }]);
  });

  it("starts again if the worker dies before a program could take it", async () => {
    const loop = open({ sideEffect: true });
    const run = await loop.create();
    await loop.advance(run.id);
    await loop.decide(run.id, true);
    const crash = () => Promise.reject(new Error("the worker died"));
    await expect(loop.advance(run.id, { clientSecretHash: crash })).rejects.toThrow("died");
    expect(await loop.store.runs.effects(ownerId, run.id)).toMatchObject([
      { state: "attempting", attempts: 1 },
    ]);
    expect(await loop.advance(run.id)).toBe("parked");
    const [action] = await loop.store.clientActions.list(ownerId, {});
    const ref = { runId: run.id, actionId: action?.id ?? "" };
    await take(loop, ref);
    await finish(loop, ref);
    expect(await resultOf(loop, run.id)).toMatchObject({ outcome: "completed" });
  });

  it("was not done if its run is canceled before a program could take it", async () => {
    const loop = open({ sideEffect: true });
    const run = await loop.create();
    await loop.advance(run.id);
    await loop.decide(run.id, true);
    const crash = () => Promise.reject(new Error("the worker died"));
    await expect(loop.advance(run.id, { clientSecretHash: crash })).rejects.toThrow("died");
    await loop.store.runs.requestCancel(ownerId, run.id);
    expect(await resultOf(loop, run.id)).toMatchObject({ outcome: "canceled" });
  });

  it.each([false, true])(
    "whose result is long keeps it as an artifact with a preview (effect: %s)",
    async (sideEffect) => {
      const text = `${"a".repeat(30_000)}${"b".repeat(30_000)}`;
      const read = defineClientTool({
        name: "read_page",
        description: "Reads the page.",
        input: z.object({}),
        output: z.object({ text: z.string() }),
        label: { origin: "web" },
        program: "page",
        deadlineMs,
        ifExpired: "failed",
        sideEffect,
      });
      const loop = createLoopHarness({
        script: ({ turn }) =>
          turn === 0 ? { calls: [{ tool: "read_page", input: {} }] } : { text: "Done." },
        tools: [read],
      });
      const run = await loop.create();
      expect(await loop.advance(run.id)).toBe("parked");
      if (sideEffect) {
        await loop.decide(run.id, true);
        await loop.advance(run.id);
      }
      const [action] = await loop.store.clientActions.list(ownerId, {});
      const ref = { runId: run.id, actionId: action?.id ?? "" };
      await take(loop, ref);
      await loop.store.clientActions.finish(ownerId, {
        ...ref,
        secretHash: `hash of ${ref.actionId}`,
        result: { text },
      });
      const result = await resultOf(loop, run.id);
      expect(result).toMatchObject({
        outcome: "completed",
        kept: { outputId: ref.actionId, name: "read_page.json" },
        label: { origin: "web", trusted: false },
      });
      expect(JSON.stringify(result?.output).length).toBeLessThan(41_000);
      const [artifact] = await loop.store.artifacts.list(ownerId, run.id);
      const bytes = await loop.store.artifacts.read(ownerId, artifact?.digest ?? "");
      expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ text });
    },
  );
});
