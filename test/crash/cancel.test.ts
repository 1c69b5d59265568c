import { isFullSuite } from "@bron/testing";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunEvent } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { collect, openInProcess, type InProcess } from "./support/in-process.ts";
import { formatTimeline } from "./support/crash-harness.ts";

const random = seededRandom();

const moments = isFullSuite ? 1_000 : 80;
/** How many runs are in progress at once. */
const width = 40;

/** Whether this event marks the start of a step, a tool call or an effect. */
function isStart({ type, payload }: RunEvent): boolean {
  return (
    (type === "step" && payload.phase === "start") ||
    (type === "tool" && payload.phase === "start") ||
    (type === "effect" && payload.state === "attempting")
  );
}

describe("canceling a run", () => {
  let harness: InProcess;
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
    harness = await openInProcess(
      inject("postgresUrl"),
      async ({ turn }) => {
        await sleep(random() * 4);
        const next = calls[turn];
        return next ? { text: "Working.", calls: next } : { text: "Done." };
      },
      // On a busy machine, heartbeats can be late, and another claim starts a step again.
      { read: () => sleep(random() * 5), engine: { leaseMs: 120_000 } },
    );
  });
  afterAll(async () => await harness.close());

  it(`X7 starts nothing after the cancel, at ${moments} random moments`, async () => {
    const { runtime } = harness;
    const ownerId = "local";
    const tally = { canceled: 0, tooLate: 0, early: 0 };
    const cancelAtRandomMoment = async (index: number) => {
      const client = runtime.clientFor(ownerId);
      const run = await client.call("POST /api/runs", { body: { prompt: `task ${index}` } });
      const approving = approveAll(run.id);
      // Cancel at a random place in the log, and at a random moment after it.
      const place = Math.floor(random() * 30);
      for await (const { seq } of runtime.logs.events(ownerId, run.id)) if (seq >= place) break;
      await sleep(random() * 5);
      const { requested: canceled } = await client.call("POST /api/runs/:id/cancel", {
        params: { id: run.id },
        body: { reason: "enough" },
      });
      const events = await collect(
        runtime.logs.events(ownerId, run.id, { signal: AbortSignal.timeout(60_000) }),
      );
      await approving;
      const last = events.at(-1);
      if (!canceled) {
        tally.tooLate++;
        expect(last, formatTimeline(events)).toMatchObject({
          type: "status",
          payload: { status: "completed" },
        });
        return;
      }
      tally.canceled++;
      expect(last, formatTimeline(events)).toMatchObject({
        type: "status",
        payload: { status: "canceled" },
      });
      const at = events.findIndex(({ type }) => type === "cancel");
      if (!events.slice(0, at).some(isStart)) tally.early++;
      expect(events.slice(at).filter(isStart), formatTimeline(events)).toEqual([]);
      const reads = events.filter(
        ({ type, payload }) =>
          type === "tool" && payload.phase === "start" && payload.name === "read_fact",
      ).length;
      expect(harness.toolCounts.reads.get(run.id) ?? 0, formatTimeline(events)).toBeLessThanOrEqual(
        reads,
      );
      const planned = events.flatMap(({ type, payload }) =>
        type === "step" && payload.phase === "end"
          ? payload.calls.map(({ actionId }) => actionId)
          : [],
      );
      const ended = events.flatMap(({ type, payload }) =>
        type === "tool" && payload.phase === "end" ? [payload.actionId] : [],
      );
      expect(ended.toSorted(), formatTimeline(events)).toEqual(planned.toSorted());
      expect(await client.list("GET /api/approvals", { runId: run.id, pending: "true" })).toEqual(
        [],
      );
    };
    const approveAll = async (runId: string) => {
      const client = runtime.clientFor(ownerId);
      for await (const { type, payload } of runtime.logs.events(ownerId, runId))
        if (type === "approval" && payload.state === "pending")
          // The cancel may have closed the approval.
          await client
            .call("POST /api/approvals/:id/approve", {
              params: { id: payload.approvalId },
              body: { digest: payload.digest },
            })
            .catch(() => undefined);
    };
    for (let done = 0; done < moments; done += width)
      await Promise.all(
        Array.from({ length: width }, (_, index) => cancelAtRandomMoment(done + index)),
      );
    expect(tally.canceled - tally.early).toBeGreaterThan(moments / 2);
    console.log(`${moments} cancels: ${JSON.stringify(tally)}`);
  }, 300_000);

  it("X7 ends a parked run and a delayed run, and cancels their pending approvals", async () => {
    const { runtime, toolCounts } = harness;
    const client = runtime.clientFor("local");
    const parked = await client.call("POST /api/runs", { body: { prompt: "will be parked" } });
    for await (const event of runtime.logs.events("local", parked.id))
      if (event.type === "status" && event.payload.status === "awaiting_confirmation") break;
    expect(
      (await client.call("POST /api/runs/:id/cancel", { params: { id: parked.id } })).requested,
    ).toBe(true);
    const events = await collect(runtime.logs.events("local", parked.id));
    expect(events.at(-1)).toMatchObject({ payload: { status: "canceled" } });
    expect(await client.list("GET /api/approvals", { runId: parked.id })).toMatchObject([
      { state: "canceled" },
    ]);
    expect(toolCounts.letters.get(parked.id)).toBeUndefined();
    const delayed = await client.call("POST /api/runs", {
      body: {
        prompt: "much later",
        delayMs: 3_600_000,
      },
    });
    expect(
      (await client.call("POST /api/runs/:id/cancel", { params: { id: delayed.id } })).requested,
    ).toBe(true);
    expect((await collect(runtime.logs.events("local", delayed.id))).at(-1)).toMatchObject({
      payload: { status: "canceled" },
    });
    expect(
      (await client.call("POST /api/runs/:id/cancel", { params: { id: delayed.id } })).requested,
    ).toBe(false);
  });
});
