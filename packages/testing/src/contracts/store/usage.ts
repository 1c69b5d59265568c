import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testUsage({ claim, createRun, parkedRun, store }: StoreHarness): void {
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
    const { days, medianSeconds } = await store.usage.byDay(ownerId, { days: 3, zone: "UTC" });
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
    expect(medianSeconds).toBeNull();
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

  it("BR23 refuses unknown zones", async () => {
    for (const zone of ["Mars/Olympus", "", "a\u0000b"])
      await expect(store.usage.byDay("x", { days: 1, zone })).rejects.toMatchObject({
        code: "invalid_input",
      });
  });
}
