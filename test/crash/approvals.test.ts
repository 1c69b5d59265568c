import { reportOutcomeName } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { seededRandom } from "../support/seeded-random.ts";
import { openInProcess, siblingScript, collect, type InProcess } from "./support/in-process.ts";
import { formatTimeline } from "./support/crash-harness.ts";

const random = seededRandom();
/**
 * When the approval is decided: before the sibling ends, while it ends and the run parks, or after
 * the run has parked.
 */
const moments = ["before", "around", "after"] as const;
/** Runs that are in progress at once. */
const atOnce = 40;
const batches = isFullSuite ? 10 : 2;

describe("an approval that arrives while the run parks", () => {
  let harness: InProcess;
  const reads = new Map<string, PromiseWithResolvers<void>>();
  /** The sibling tool of this run reads until this promise is resolved. */
  const readOf = (runId: string) => {
    const read = reads.get(runId) ?? Promise.withResolvers<void>();
    reads.set(runId, read);
    return read;
  };
  beforeAll(async () => {
    harness = await openInProcess(inject("postgresUrl"), siblingScript, {
      read: (runId) => readOf(runId).promise,
      // An effect whose worker loses its lease may end as unknown without being carried out. On a
      // busy machine, heartbeats can be late.
      engine: { leaseMs: 120_000 },
    });
  });
  afterAll(async () => await harness.close());

  it("BR14 X2 wakes the run exactly once at every interleaving, and none is stuck", async () => {
    const { runtime, toolCounts } = harness;
    const ownerId = "local";
    const decide = async (index: number) => {
      const client = runtime.clientFor(ownerId);
      const moment = moments[index % moments.length]!;
      const run = await client.call("POST /api/runs", { body: { prompt: `letter ${index}` } });
      const approval = await pendingApproval(run.id);
      if (moment !== "before") readOf(run.id).resolve();
      if (moment === "around") await sleep(random() * 20);
      if (moment === "after")
        await expect
          .poll(
            async () => (await client.call("GET /api/runs/:id", { params: { id: run.id } })).status,
            { timeout: 60_000 },
          )
          .toBe("awaiting_confirmation");
      const approved = index % 5 !== 0;
      await (approved
        ? client.call("POST /api/approvals/:id/approve", {
            params: { id: approval.id },
            body: { digest: approval.digest },
          })
        : client.call("POST /api/approvals/:id/deny", {
            params: { id: approval.id },
            body: { digest: approval.digest, reason: "not now" },
          }));
      readOf(run.id).resolve();
      const events = await collect(
        runtime.logs.events(ownerId, run.id, { signal: AbortSignal.timeout(60_000) }),
      );
      expect(events.at(-1), formatTimeline(events)).toMatchObject({
        type: "status",
        payload: { status: "completed" },
      });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, position) => position + 1));
      expect(toolCounts.letters.get(run.id) ?? 0).toBe(approved ? 1 : 0);
      expect(toolCounts.reads.get(run.id)).toBe(1);
      const parks = events.filter(
        ({ type, payload }) => type === "status" && payload.status === "awaiting_confirmation",
      ).length;
      if (moment !== "around")
        expect(parks, formatTimeline(events)).toBe(moment === "after" ? 1 : 0);
    };
    const pendingApproval = async (runId: string) => {
      for await (const { type, payload } of runtime.logs.events(ownerId, runId, {
        signal: AbortSignal.timeout(60_000),
      }))
        if (type === "approval" && payload.state === "pending")
          return { id: payload.approvalId, digest: payload.digest };
      throw new Error(`Run ${runId} ended without an approval`);
    };
    for (let batch = 0; batch < batches; batch++)
      await Promise.all(
        Array.from({ length: atOnce }, (_, index) => decide(batch * atOnce + index)),
      );
  }, 240_000);

  it("X2 keeps the result of a sibling tool that is running when the approval arrives", async () => {
    const slow = harness.runtime;
    const client = slow.clientFor("local");
    const run = await client.call("POST /api/runs", { body: { prompt: "letter with a sibling" } });
    let approved = false;
    const events = [];
    for await (const event of slow.logs.events("local", run.id)) {
      events.push(event);
      if (event.type === "approval" && event.payload.state === "pending" && !approved) {
        approved = true;
        await client.call("POST /api/approvals/:id/approve", {
          params: { id: event.payload.approvalId },
          body: { digest: event.payload.digest },
        });
        readOf(run.id).resolve();
      }
    }
    const ends = events.flatMap(({ type, payload }) =>
      type === "tool" && payload.phase === "end" && payload.name !== reportOutcomeName
        ? [{ name: payload.name, outcome: payload.outcome }]
        : [],
    );
    expect(ends.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: "read_fact", outcome: "completed" },
      { name: "send_letter", outcome: "completed" },
    ]);
    expect(harness.toolCounts.reads.get(run.id)).toBe(1);
  }, 300_000);
});
