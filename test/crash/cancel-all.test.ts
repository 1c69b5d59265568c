import { isFullSuite } from "@bron/testing";
import { isTerminal, type RunEvent } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { openHarness, formatTimeline, type Harness } from "./support/crash-harness.ts";

/** Whether this event marks the start of a step, a tool call or an effect. */
function isStart({ type, payload }: RunEvent): boolean {
  return (
    (type === "step" && payload.phase === "start") ||
    (type === "tool" && payload.phase === "start") ||
    (type === "effect" && payload.state === "attempting")
  );
}

const workers = 3;
const prompts = ["slow", "letter", "reads", "sibling", "everything"];

describe("canceling all runs of an owner", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { chunkDelayMs: 5 });
    await Promise.all(Array.from({ length: workers }, () => harness.start({ slowMs: 60 })));
  });
  afterAll(async () => await harness.close());

  /** Approves everything that is pending, as fast as possible, until the signal aborts. */
  const approveUntilAborted = (ownerId: string, signal: AbortSignal) =>
    (async () => {
      const client = harness.runtime.clientFor(ownerId);
      for (; !signal.aborted; await sleep(10))
        for (const { id, digest } of await client.list("GET /api/approvals", {
          pending: "true",
        }))
          await client
            .call("POST /api/approvals/:id/approve", { params: { id }, body: { digest } })
            .catch(() => undefined);
    })();

  it.each(isFullSuite ? [5, 15, 25] : [15])(
    "X7 starts nothing more in any of 50 runs on several workers, %i of them already started",
    async (startedCount) => {
      const { runtime, simulator } = harness;
      const ownerId = `stopped-${startedCount}`;
      const ending = new AbortController();
      const approver = approveUntilAborted(ownerId, ending.signal);
      onTestFinished(async () => {
        ending.abort();
        await approver;
      });
      const client = runtime.clientFor(ownerId);
      const runs = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          client.call("POST /api/runs", {
            body: { prompt: `${prompts[index % prompts.length]} ${index}` },
          }),
        ),
      );
      const other = await runtime.clientFor(`other-${startedCount}`).call("POST /api/runs", {
        body: {
          prompt: "reads",
        },
      });
      await expect
        .poll(
          async () =>
            (await runtime.clientFor(ownerId).list("GET /api/runs", { limit: 100 })).filter(
              ({ startedAt }) => startedAt !== null,
            ).length,
          { timeout: 30_000, interval: 5 },
        )
        .toBeGreaterThanOrEqual(startedCount);

      const { stopped: canceled } = await runtime
        .clientFor(ownerId)
        .call("POST /api/stop", { body: { reason: "enough" } });
      expect(canceled.length).toBeGreaterThan(0);
      for (const { id } of runs) {
        const { status } = await harness.until(ownerId, id, (run) => isTerminal(run.status));
        const events = await harness.events(ownerId, id);
        expect(status, formatTimeline(events)).toBe(
          canceled.includes(id) ? "canceled" : "completed",
        );
        const at = events.findIndex(({ type }) => type === "cancel");
        expect(at >= 0, formatTimeline(events)).toBe(canceled.includes(id));
        if (at >= 0) expect(events.slice(at).filter(isStart), formatTimeline(events)).toEqual([]);
        // Nothing happened outside without a start event in the log.
        const marks = events.filter((event) => isStart(event) && event.type !== "step").length;
        expect(
          simulator.executions.filter(({ runId }) => runId === id).length,
          formatTimeline(events),
        ).toBeLessThanOrEqual(marks);
      }
      ending.abort();
      await approver;
      expect(
        await runtime.clientFor(ownerId).list("GET /api/approvals", { pending: "true" }),
      ).toEqual([]);
      await harness.until(
        `other-${startedCount}`,
        other.id,
        ({ status }) => status === "completed",
      );
      expect(
        (await runtime.clientFor(ownerId).list("GET /api/audit", { what: "owner.stopped" })).map(
          ({ details }) => details,
        ),
      ).toEqual([{ runs: canceled.length, reason: "enough" }]);
      expect((await runtime.clientFor(ownerId).call("POST /api/stop")).stopped).toEqual([]);
    },
    300_000,
  );
});
