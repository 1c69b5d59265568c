import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

export function testDenials({ parkedRun, store }: StoreHarness): void {
  it("X3 lists what was denied in a task, in its child runs and in the tasks that it retries", async () => {
    const ownerId = freshOwner();
    const denyOne = async (
      reply: string | undefined,
      extra: Parameters<typeof parkedRun>[2] = {},
    ) => {
      const { run, approvalId, digest } = await parkedRun(ownerId, 60_000, extra);
      const choice = { ownerId, approvalId, digest, approved: false };
      await store.approvals.decide(
        reply === undefined ? { ...choice, reason: "not now" } : { ...choice, reply },
      );
      return run;
    };
    const first = await denyOne("shorter");
    const other = await denyOne("of another task");
    const again = await denyOne(undefined, { retry: { runId: first.id, notDone: [] } });
    const child = await denyOne("in a child run", {
      parent: { runId: again.id, failureMode: "best_effort" },
    });
    const below = await denyOne("below it", {
      parent: { runId: child.id, failureMode: "best_effort" },
    });
    const list = async (rootRunId: string, of = ownerId) =>
      (await store.denials.list({ ownerId: of, rootRunId }))
        .map(({ cause, words }) => `${cause}: ${words}`)
        .toSorted();
    expect(await list(again.id)).toEqual([
      "denied: not now",
      "replied: below it",
      "replied: in a child run",
      "replied: shorter",
    ]);
    expect(await list(first.id)).toEqual(["replied: shorter"]);
    expect(await list(below.id)).toEqual(["replied: below it"]);
    expect(await list(other.id)).toEqual(["replied: of another task"]);
    expect(await list(again.id, freshOwner())).toEqual([]);
  });

  it("X3 lists an approval that was undone, and none that is pending or approved", async () => {
    const { run, ownerId, approvalId, digest } = await parkedRun();
    const task = { ownerId, rootRunId: run.id };
    expect(await store.denials.list(task)).toEqual([]);
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true, undoMs: 60_000 });
    expect(await store.denials.list(task)).toEqual([]);
    await store.approvals.undo(ownerId, approvalId);
    expect(await store.denials.list(task)).toEqual([
      {
        tool: "post",
        prepared: { text: "hi" },
        cause: "undone",
        words: "",
        decidedAt: expect.any(Number) as number,
      },
    ]);
  });
}
