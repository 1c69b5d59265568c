import { expect, it } from "vitest";
import { appendOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testCancel({ claim, createRun, store, under }: StoreHarness): void {
  it("X7 advances the log at a cancel request, so that no append that missed it commits", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const { lease } = await claim(run.id);
    expect(await store.runs.requestCancel(ownerId, run.id, "enough")).toBe(true);
    expect(await store.runs.requestCancel(ownerId, run.id)).toBe(false);
    expect(await store.log.append(appendOf(lease, 2, [note("begin")]))).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(await store.log.read(lease, 2)).toMatchObject([
      { type: "cancel", payload: { by: ownerId, reason: "enough" } },
    ]);
    expect((await store.runs.get(ownerId, run.id))?.cancelRequested).toBe(true);
  });

  it("X7 cancels all runs of one owner, and none of another", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const root = await createRun(ownerId);
    const racing = Array.from({ length: 10 }, () =>
      createRun(ownerId, { parent: { runId: root.id, failureMode: "best_effort" } }).then(
        (run) => run.id,
        () => undefined,
      ),
    );
    const [held, over, theirs] = [
      await createRun(ownerId),
      await createRun(ownerId),
      await createRun(other),
    ];
    const { lease } = await claim(held.id);
    const ended = await claim(over.id);
    expect(
      await store.log.append(
        appendOf(ended.lease, 2, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
        }),
      ),
    ).toMatchObject({ ok: true });
    const stopped = await store.runs.requestCancelAll(ownerId, "enough");
    const made = (await Promise.all(racing)).filter((id) => id !== undefined);
    expect(stopped.toSorted()).toEqual([root.id, held.id, ...made].toSorted());
    for (const id of stopped) {
      expect(await store.runs.get(ownerId, id)).toMatchObject({
        cancelRequested: true,
        runnable: true,
      });
      expect(
        (await store.runs.events(ownerId, id, 2)).filter(({ type }) => type !== "child_run"),
      ).toMatchObject([{ type: "cancel", payload: { by: ownerId, reason: "enough" } }]);
    }
    expect(await store.log.append(appendOf(lease, 2, [note("begin")]))).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(await store.runs.get(ownerId, over.id)).toMatchObject({
      status: "completed",
      cancelRequested: false,
    });
    expect(await store.runs.get(other, theirs.id)).toMatchObject({ cancelRequested: false });
    await expect
      .poll(() =>
        stopped.every((id) =>
          under.wakes.some(
            (wake) =>
              wake.runId === id &&
              (wake.wake === 2 || id === root.id) &&
              wake.held === (id === held.id),
          ),
        ),
      )
      .toBe(true);
    expect(await store.runs.requestCancelAll(ownerId)).toEqual([]);
    const rows = await store.audit.list(ownerId, { what: "owner" });
    expect(rows).toMatchObject([
      { what: "owner.stopped", by: "owner", details: { runs: 0 } },
      { details: { runs: stopped.length, reason: "enough" } },
    ]);
    expect(
      new Set((await store.audit.list(ownerId, { what: "run.stopped" })).map(({ runId }) => runId)),
    ).toEqual(new Set(stopped));
  });
}
