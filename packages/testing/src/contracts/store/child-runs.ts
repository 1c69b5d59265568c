import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, note, type StoreHarness, tailOf } from "./store-harness.ts";

export function testChildRuns({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("X7 cancels the entire tree below a run, and lets no child be created under a canceled one", async () => {
    const ownerId = freshOwner();
    const root = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: root.id, failureMode: "best_effort" },
    });
    const grandchild = await createRun(ownerId, {
      parent: { runId: child.id, failureMode: "best_effort" },
    });
    const sibling = await createRun(ownerId);
    const racing = Array.from({ length: 10 }, () =>
      createRun(ownerId, { parent: { runId: child.id, failureMode: "best_effort" } }).then(
        (run) => run.id,
        () => undefined,
      ),
    );
    await store.runs.requestCancel(ownerId, root.id);
    const made = (await Promise.all(racing)).filter((id) => id !== undefined);
    for (const id of [root.id, child.id, grandchild.id, ...made])
      expect((await store.runs.get(ownerId, id))?.cancelRequested).toBe(true);
    expect((await store.runs.get(ownerId, sibling.id))?.cancelRequested).toBe(false);
    await expect(
      createRun(ownerId, { parent: { runId: grandchild.id, failureMode: "best_effort" } }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it.for([true, false])(
    "X4 a child's task counts as its parent's text, trusted: %s",
    async (trusted) => {
      const ownerId = freshOwner();
      const parent = await createRun(ownerId);
      const child = await createRun(ownerId, {
        parent: { runId: parent.id, failureMode: "best_effort", trusted },
      });
      const tailIn = async (threadId: string) =>
        await tailOf(
          store,
          ownerId,
          threadId,
          (await createRun(ownerId, { input: { prompt: "go on", threadId } })).id,
          5,
        );
      expect(await tailIn(child.threadId)).toMatchObject([
        { role: "user", content: "say hello", trusted },
      ]);
      expect(await tailIn(parent.threadId)).toMatchObject([{ role: "user", trusted: true }]);
    },
  );

  it("BR16 notifies a parent when its children start and finish, and wakes it", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const { lease } = await claim(parent.id);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, actionId: "a1", failureMode: "fail_fast", insteadOf: "b" },
    });
    expect(child.parentRunId).toBe(parent.id);
    expect(await store.runs.events(ownerId, child.id, 0)).toMatchObject([
      { payload: { parentRunId: parent.id } },
      { type: "message", payload: { role: "user", from: "parent" } },
    ]);
    const started = {
      type: "child_run",
      payload: {
        childRunId: child.id,
        title: child.title,
        status: "queued",
        spawnedBy: "a1",
        failureMode: "fail_fast",
        insteadOf: "b",
      },
    };
    expect(await store.runs.events(ownerId, parent.id, 2)).toMatchObject([started]);
    expect(
      await store.log.append(appendOf(lease, 3, [note("waits")], { release: "park" })),
    ).toMatchObject({ ok: true });
    const childEventsOf = async () =>
      (await store.runs.events(ownerId, parent.id, 4)).map(({ type, payload }) => ({
        type,
        payload,
      }));
    await store.runs.notifyParents();
    expect(await childEventsOf()).toEqual([]);
    const working = await claim(child.id);
    await store.log.append(
      appendOf(
        working.lease,
        2,
        [{ type: "status", payload: { status: "failed", code: "cap_time", message: "late" } }],
        { release: "end" },
      ),
    );
    expect(await store.runs.get(ownerId, parent.id)).toMatchObject({ runnable: false });
    expect(await store.runs.notifyParents()).toBeGreaterThan(0);
    expect(await childEventsOf()).toEqual([
      {
        type: "child_run",
        payload: {
          childRunId: child.id,
          title: child.title,
          status: "failed",
          error: { code: "cap_time", message: "late" },
        },
      },
    ]);
    expect(await store.runs.get(ownerId, parent.id)).toMatchObject({ runnable: true });
    await store.runs.notifyParents();
    expect(await childEventsOf()).toHaveLength(1);
  });

  it("BR16 notifies a parent when a child waits for the owner and when it continues, for the given runs only", async () => {
    const ownerId = freshOwner();
    const { id: parentId } = await createRun(ownerId);
    const {
      run: child,
      approvalId,
      digest,
    } = await parkedRun(ownerId, 60_000, {
      parent: { runId: parentId, failureMode: "best_effort" },
    });
    const statuses = async () =>
      (await store.runs.events(ownerId, parentId, 3)).flatMap((event) =>
        event.type === "child_run" ? [event.payload.status] : [],
      );
    await store.runs.notifyParents([randomUUID()]);
    expect(await statuses()).toEqual([]);
    await store.runs.notifyParents([child.id]);
    await store.runs.notifyParents([parentId]);
    expect(await statuses()).toEqual(["awaiting_confirmation"]);
    expect(
      await store.approvals.list(ownerId, { runId: parentId, pendingOnly: true }),
    ).toMatchObject([{ id: approvalId, runId: child.id }]);
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(child.id);
    const lastSeq = (await store.runs.get(ownerId, child.id))?.lastSeq ?? 0;
    await store.log.append(
      appendOf(lease, lastSeq, [{ type: "status", payload: { status: "executing" } }]),
    );
    await store.runs.notifyParents();
    expect(await statuses()).toEqual(["awaiting_confirmation", "executing"]);
  });

  it("BR21 rejects one child more than a run may have, even under concurrency", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const asked = await Promise.allSettled(
      Array.from({ length: 6 }, () =>
        createRun(ownerId, {
          parent: { runId: parent.id, failureMode: "best_effort", maxChildren: 3 },
        }),
      ),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    for (const one of asked)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "cap_children" });
  });

  it("BR16 X7 cancels unfinished children of a finished run", async () => {
    const ownerId = freshOwner();
    const parent = await createRun(ownerId);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const { lease } = await claim(parent.id);
    await store.log.append(
      appendOf(lease, 3, [{ type: "status", payload: { status: "completed" } }], {
        release: "end",
      }),
    );
    await store.runs.notifyParents();
    expect(await store.runs.get(ownerId, child.id)).toMatchObject({ cancelRequested: true });
    expect((await store.runs.events(ownerId, child.id, 0)).at(-1)).toMatchObject({
      type: "cancel",
      payload: { by: ownerId, cause: "parent_ended" },
    });
    const working = await claim(child.id);
    await store.log.append(
      appendOf(working.lease, 3, [{ type: "status", payload: { status: "canceled" } }], {
        release: "end",
      }),
    );
    await store.runs.notifyParents();
    expect((await store.runs.events(ownerId, parent.id, 4)).length).toBe(0);
  });

  it("BR16 shows approvals of any depth on every run above, and cancels from the root", async () => {
    const ownerId = freshOwner();
    let above = await createRun(ownerId);
    const tree = [above];
    for (let depth = 1; depth < 4; depth++) {
      above = await createRun(ownerId, {
        parent: { runId: above.id, failureMode: "best_effort" },
      });
      tree.push(above);
    }
    const { run, approvalId } = await parkedRun(ownerId, 60_000, {
      parent: { runId: above.id, failureMode: "best_effort" },
    });
    for (const { id } of tree)
      expect(await store.approvals.list(ownerId, { runId: id, pendingOnly: true })).toMatchObject([
        { id: approvalId, runId: run.id },
      ]);
    expect(await store.approvals.list(freshOwner(), { runId: tree[0]?.id ?? "" })).toEqual([]);
    await store.runs.requestCancel(ownerId, tree[0]?.id ?? "");
    expect((await store.runs.get(ownerId, run.id))?.cancelRequested).toBe(true);
  });
}
