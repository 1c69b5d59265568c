import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { collect, openInProcess, type InProcess } from "./support/in-process.ts";
import { describe as story } from "./support/crash-lab.ts";

const random = seededRandom();

const moments = process.env["BRON_CRASH"] === "full" ? 1_000 : 160;
/** Runs at once. */
const width = 40;

/** Marks of a beginning. */
function begins({ type, payload }: RunEvent): boolean {
  return (
    (type === "step" && payload.phase === "start") ||
    (type === "tool" && payload.phase === "start") ||
    (type === "effect" && payload.state === "attempting")
  );
}

describe("a stop", () => {
  let lab: InProcess;
  beforeAll(async () => {
    const calls = [
      [
        { tool: "read_fact", input: { text: "a" } },
        { tool: "read_fact", input: { text: "b" } },
      ],
      [
        { tool: "send_letter", input: { text: "c" } },
        { tool: "read_fact", input: { text: "d" } },
      ],
    ];
    lab = await openInProcess(
      inject("postgresUrl"),
      async ({ turn }) => {
        await sleep(random() * 4);
        const next = calls[turn];
        return next ? { text: "Working.", calls: next } : { text: "Done." };
      },
      { read: () => sleep(random() * 5) },
    );
  });
  afterAll(async () => await lab.close());

  it(`X7 is a fence: nothing begins after it, at ${moments} random moments`, async () => {
    const { bron } = lab;
    const ownerId = "local";
    const tally = { canceled: 0, tooLate: 0, early: 0 };
    const one = async (index: number) => {
      const run = await bron.runs.create(ownerId, { prompt: `task ${index}` });
      const over = new AbortController();
      void approveAll(run.id, over.signal);
      // At a random place of its log, and a random moment after that.
      const place = Math.floor(random() * 30);
      for await (const { seq } of bron.runs.events(ownerId, run.id)) if (seq >= place) break;
      await sleep(random() * 5);
      const stopped = await bron.runs.cancel(ownerId, run.id, "enough");
      const events = await collect(
        bron.runs.events(ownerId, run.id, { signal: AbortSignal.timeout(60_000) }),
      );
      over.abort();
      const last = events.at(-1);
      if (!stopped) {
        tally.tooLate++;
        expect(last, story(events)).toMatchObject({
          type: "status",
          payload: { status: "completed" },
        });
        return;
      }
      tally.canceled++;
      expect(last, story(events)).toMatchObject({
        type: "status",
        payload: { status: "canceled" },
      });
      const at = events.findIndex(({ type }) => type === "cancel");
      if (!events.slice(0, at).some(begins)) tally.early++;
      expect(events.slice(at).filter(begins), story(events)).toEqual([]);
      const reads = events.filter(
        ({ type, payload }) =>
          type === "tool" && payload.phase === "start" && payload.name === "read_fact",
      ).length;
      expect(lab.deeds.reads.get(run.id) ?? 0, story(events)).toBeLessThanOrEqual(reads);
      const planned = events.flatMap(({ type, payload }) =>
        type === "step" && payload.phase === "end"
          ? payload.calls.map(({ actionId }) => actionId)
          : [],
      );
      const ended = events.flatMap(({ type, payload }) =>
        type === "tool" && payload.phase === "end" ? [payload.actionId] : [],
      );
      expect(ended.toSorted(), story(events)).toEqual(planned.toSorted());
      expect(await bron.approvals.list(ownerId, { runId: run.id, pendingOnly: true })).toEqual([]);
    };
    const approveAll = async (runId: string, signal: AbortSignal) => {
      while (!signal.aborted) {
        for (const { id, digest } of await bron.approvals.list(ownerId, {
          runId,
          pendingOnly: true,
        }))
          await bron.approvals.approve(ownerId, id, digest).catch(() => undefined);
        await sleep(5);
      }
    };
    for (let done = 0; done < moments; done += width)
      await Promise.all(Array.from({ length: width }, (_, index) => one(done + index)));
    expect(tally.canceled - tally.early).toBeGreaterThan(moments / 2);
    console.log(`${moments} stops: ${JSON.stringify(tally)}`);
  }, 300_000);

  it("X7 ends a parked run and a delayed one, and withdraws what was asked", async () => {
    const { bron, deeds } = lab;
    const parked = await bron.runs.create("local", { prompt: "will be parked" });
    for await (const event of bron.runs.events("local", parked.id))
      if (event.type === "status" && event.payload.status === "awaiting_confirmation") break;
    expect(await bron.runs.cancel("local", parked.id)).toBe(true);
    const events = await collect(bron.runs.events("local", parked.id));
    expect(events.at(-1)).toMatchObject({ payload: { status: "canceled" } });
    expect(await bron.approvals.list("local", { runId: parked.id })).toMatchObject([
      { state: "canceled" },
    ]);
    expect(deeds.letters.get(parked.id)).toBeUndefined();
    const delayed = await bron.runs.create("local", { prompt: "much later", delayMs: 3_600_000 });
    expect(await bron.runs.cancel("local", delayed.id)).toBe(true);
    expect((await collect(bron.runs.events("local", delayed.id))).at(-1)).toMatchObject({
      payload: { status: "canceled" },
    });
    expect(await bron.runs.cancel("local", delayed.id)).toBe(false);
  });
});
