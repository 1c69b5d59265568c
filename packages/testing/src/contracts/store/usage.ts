import { randomUUID } from "node:crypto";
import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, requestApproval, type StoreHarness } from "./store-harness.ts";

export function testUsage({ claim, createRun, parkedRun, store, under }: StoreHarness): void {
  it("BR23 adds up an owner's runs by day, with a zero for every day without any", async () => {
    const { ownerId, approvalId, digest } = await parkedRun();
    await store.approvals.decide({ ownerId, approvalId, digest, approved: false });
    const done = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: done.id, failureMode: "best_effort" },
    });
    await createRun(freshOwner());
    const { lease, lastSeq } = await claim(done.id);
    await store.log.append(
      appendOf(
        lease,
        lastSeq,
        [
          {
            type: "usage",
            payload: {
              step: 1,
              attempt: 1,
              model: "scripted",
              outcome: "settled",
              inputTokens: 30,
              cachedInputTokens: 12,
              outputTokens: 4,
              reasoningTokens: 0,
              costMicrousd: 7,
            },
          },
          { type: "status", payload: { status: "completed", outcome: "done" } },
        ],
        { release: "end", chargedMicrousd: 7 },
      ),
    );
    expect(child.parentRunId).toBe(done.id);
    const { days, medianSeconds, workedSeconds } = await store.usage.byDay(ownerId, {
      days: 3,
      zone: "UTC",
    });
    expect(days).toHaveLength(3);
    expect(days.slice(0, 2)).toMatchObject([{ runs: 0 }, { runs: 0 }]);
    expect(days[2]).toEqual({
      day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      runs: 2,
      succeeded: 1,
      inPart: 0,
      couldNot: 0,
      needsAnswer: 0,
      deniedRuns: 0,
      failed: 0,
      canceled: 0,
      inputTokens: 30,
      cachedInputTokens: 12,
      outputTokens: 4,
      costMicrousd: 7,
      approved: 0,
      denied: 1,
      toolCalls: 1,
    });
    expect({ medianSeconds, workedSeconds }).toEqual({ medianSeconds: null, workedSeconds: 0 });
  });

  it("counts auxiliary calls, and keeps their events", async () => {
    const ownerId = freshOwner();
    const { id } = await createRun(ownerId);
    const { lease, lastSeq } = await claim(id);
    const call = { callId: "c", purpose: "topic" };
    const events: NewEvent[] = [
      {
        type: "auxiliary_call",
        payload: {
          phase: "start",
          ...call,
          attempt: 1,
          model: "light",
          reservedMicrousd: 9,
          requestDigest: "sha256:1",
          activeMs: 0,
        },
      },
      {
        type: "usage",
        payload: {
          step: 0,
          auxiliaryCallId: "c",
          attempt: 1,
          model: "light",
          outcome: "settled",
          inputTokens: 5,
          outputTokens: 2,
          reasoningTokens: 0,
          costMicrousd: 3,
        },
      },
      { type: "auxiliary_call", payload: { phase: "end", ...call, output: { topic: "work" } } },
    ];
    await store.log.append(appendOf(lease, lastSeq, events, { chargedMicrousd: 3 }));
    const stored = await store.runs.events(ownerId, id, lastSeq, 10);
    expect(stored.map(({ type, payload }) => ({ type, payload }))).toEqual(events);
    const { days } = await store.usage.byDay(ownerId, { days: 1, zone: "UTC" });
    expect(days[0]).toMatchObject({ inputTokens: 5, outputTokens: 2, costMicrousd: 3 });
  });

  it("BR23 leaves the time out in which a run waits for its owner", async () => {
    const ownerId = freshOwner();
    const end = { type: "status", payload: { status: "completed", outcome: "done" } } as const;
    /** A run that works for 5 seconds, then waits for two approvals, of which one is decided. */
    const waitingRun = async () => {
      const { id } = await createRun(ownerId);
      const { lease, lastSeq, databaseNow } = await claim(id);
      const start = { type: "status", payload: { status: "planning" } } as const;
      await store.log.append(appendOf(lease, lastSeq, [start]));
      await under.passTime(5_000);
      const requests = ["a", "b"].map((digest) => ({
        actionId: randomUUID(),
        effectId: randomUUID(),
        approvalId: randomUUID(),
        digest,
        expiresAt: new Date(databaseNow + 600_000).toISOString(),
      }));
      await store.log.append(
        appendOf(lease, lastSeq + 1, requests.flatMap(requestApproval), { release: "park" }),
      );
      return { id, decided: requests[0]! };
    };
    const endRun = async (id: string) => {
      const { lease, lastSeq } = await claim(id);
      const ended = await store.log.append(appendOf(lease, lastSeq, [end], { release: "end" }));
      expect(ended).toMatchObject({ ok: true });
    };
    const first = await waitingRun();
    await under.passTime(40_000);
    const { approvalId, digest } = first.decided;
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    await under.passTime(15_000);
    await endRun(first.id);
    const second = await waitingRun();
    await under.passTime(20_000);
    await store.runs.requestCancel(ownerId, second.id);
    await endRun(second.id);
    const usage = await store.usage.byDay(ownerId, { days: 2, zone: "UTC" });
    // The second approval of each run waits until the end, so only the 5 seconds before it count.
    expect(usage.workedSeconds).toBeGreaterThanOrEqual(10);
    expect(usage.workedSeconds).toBeLessThan(13);
    expect(usage.medianSeconds).toBeCloseTo(usage.workedSeconds / 2, 1);
    expect(usage.medianApprovalSeconds).toBeGreaterThanOrEqual(40);
    expect(usage.medianApprovalSeconds).toBeLessThan(43);
  });

  it("BR23 refuses unknown zones", async () => {
    for (const zone of ["Mars/Olympus", "", "a\u0000b"])
      await expect(store.usage.byDay("x", { days: 1, zone })).rejects.toMatchObject({
        code: "invalid_input",
      });
  });
}
