import { BronError, upkeepRun, type RunLog } from "@bron/core";
import { defaultCaps } from "@bron/protocol";
import { createLoopHarness, type Script } from "@bron/testing";
import { memoryStore } from "@bron/memory-store";
import { describe, expect, it } from "vitest";

const ownerId = "local";

/** A Bron with one task that ended, and its upkeep run. `crashAt` stops the worker at an append. */
async function ended(
  summarize: (said: string) => ReturnType<Script>,
  crash: { at: number; when: "before" | "after" } = { at: -1, when: "before" },
) {
  const store = memoryStore();
  const woken: string[] = [];
  store.setWaker({
    takesHere: () => false,
    enlist: () => Promise.resolve(),
    committed: ({ runId }) => void woken.push(runId),
  });
  let appends = 0;
  let isCounting = false;
  const log: RunLog = {
    ...store.log,
    async append(request) {
      const isCrash = isCounting && ++appends === crash.at;
      if (isCrash && crash.when === "before") throw new BronError("internal", "crash before");
      const result = await store.log.append(request);
      if (isCrash) throw new BronError("internal", "crash after");
      return result;
    },
  };
  const harness = createLoopHarness({
    store: { ...store, log },
    script: (call) => {
      const [system] = call.options.prompt;
      const isUpkeep = system?.role === "system" && system.content.startsWith("[MEMORY SUMMARY]");
      return isUpkeep ? summarize(JSON.stringify(call.options)) : { text: "Done." };
    },
  });
  const task = await harness.create({ prompt: "I like tea." });
  await harness.advance(task.id);
  isCounting = true;
  const start = async () =>
    await store.upkeep.start({ afterMs: 0, run: upkeepRun(defaultCaps), limit: 10 });
  /** Works like a worker that sweeps: it goes on where the last one stopped. */
  const work = async () => {
    await start();
    for (let tries = 0; tries < 10; tries++)
      for (const id of new Set(woken))
        if ((await store.runs.get(ownerId, id))?.runnable)
          await harness.advance(id).catch(() => undefined);
    await start();
  };
  const bron = async () => (await store.brons.list(ownerId))[0]!;
  const upkeepRuns = () => [...new Set(woken)].filter((id) => id !== task.id);
  return { ...harness, store, task, work, bron, upkeepRuns, appends: () => appends };
}

describe("an upkeep run", () => {
  it("BR15 sees the summary and the owner's words only, and calls no tool", async () => {
    let asked = "";
    const harness = await ended((request) => ((asked = request), { text: "Likes tea." }));
    await harness.work();
    expect(asked).toContain("I like tea.");
    expect(asked).not.toContain("Done.");
    expect(asked).not.toContain('"tools"');
    expect(await harness.bron()).toMatchObject({ memorySummary: "Likes tea.", memoryBefore: "" });
    const [id = ""] = harness.upkeepRuns();
    expect(await harness.run(id)).toMatchObject({ status: "completed" });
    const steps = (await harness.events(id)).filter(
      ({ type, payload }) => type === "step" && "phase" in payload && payload.phase === "start",
    );
    expect(steps).toHaveLength(1);
    expect(await harness.store.runs.list(ownerId, {})).toHaveLength(1);
  });

  it.each([
    ["", "failed"],
    ["x".repeat(3_000), "too_long"],
  ])("BR15 keeps the old summary and logs an error if it writes %#", async (text, why) => {
    const harness = await ended(() => ({ text }));
    const { id } = await harness.bron();
    await harness.store.brons.change(ownerId, id, { memorySummary: "Old." });
    await harness.work();
    expect(await harness.bron()).toMatchObject({ memorySummary: "Old." });
    const events = await harness.events(harness.upkeepRuns()[0] ?? "");
    expect(events.map(({ payload }) => payload)).toContainEqual({
      level: "error",
      kind: "summary_kept",
      why,
    });
  });

  it("BR15 keeps the old summary and logs an error if its model fails, and the task is done", async () => {
    const harness = await ended(() => ({ finish: "content-filter" }));
    await harness.work();
    expect(await harness.bron()).toMatchObject({ memorySummary: "" });
    expect(await harness.run(harness.task.id)).toMatchObject({ status: "completed" });
    const [id = ""] = harness.upkeepRuns();
    expect(await harness.run(id)).toMatchObject({ status: "failed" });
    expect((await harness.events(id)).map(({ payload }) => payload)).toContainEqual({
      level: "error",
      kind: "summary_kept",
      why: "failed",
    });
  });

  it("BR15 X2 writes one summary when its worker is killed at any append, before or after it", async () => {
    const whole = await ended(() => ({ text: "Likes tea." }));
    await whole.work();
    expect(whole.appends()).toBeGreaterThanOrEqual(2);
    for (let at = 1; at <= whole.appends(); at++)
      for (const when of ["before", "after"] as const) {
        const harness = await ended(() => ({ text: "Likes tea." }), { at, when });
        await harness.work();
        expect(harness.upkeepRuns(), `${when} ${at}`).toHaveLength(1);
        const bron = await harness.bron();
        expect(bron, `${when} ${at}`).toMatchObject({
          memorySummary: "Likes tea.",
          memoryBefore: "",
        });
        const [id = ""] = harness.upkeepRuns();
        const summaries = (await harness.events(id)).filter(({ type }) => type === "summary");
        expect(summaries, `${when} ${at}`).toHaveLength(1);
        expect(await harness.run(harness.task.id)).toMatchObject({ status: "completed" });
      }
  });
});
