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
          { type: "status", payload: { status: "completed" } },
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

  it("BR23 refuses unknown zones", async () => {
    for (const zone of ["Mars/Olympus", "", "a\u0000b"])
      await expect(store.usage.byDay("x", { days: 1, zone })).rejects.toMatchObject({
        code: "invalid_input",
      });
  });
}
