import { randomUUID } from "node:crypto";
import type { NewEvent, PolicyReason } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, claimOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testApprovals({ claim, parkedRun, store, under }: StoreHarness): void {
  it("BR14 decides once, and rejects a second choice, a wrong digest and an expired approval", async () => {
    const { ownerId, approvalId, digest, run } = await parkedRun();
    await expect(
      store.approvals.decide({ ownerId, approvalId, digest: "sha256:other", approved: true }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        store.approvals.decide({ ownerId, approvalId, digest, approved: index % 2 === 0 }),
      ),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results)
      if (result.status === "rejected")
        expect(result.reason).toMatchObject({ code: "approval_closed" });
    expect(
      (await store.runs.events(ownerId, run.id, 6)).filter(({ type }) => type === "approval"),
    ).toHaveLength(1);
    const short = await parkedRun(freshOwner(), 60_000);
    await under.passTime(61_000);
    await expect(
      store.approvals.decide({
        ownerId: short.ownerId,
        approvalId: short.approvalId,
        digest: short.digest,
        approved: true,
      }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    expect(await store.approvals.expireDue()).toBeGreaterThan(0);
    expect(await store.approvals.get(short.ownerId, short.approvalId)).toMatchObject({
      state: "expired",
    });
    expect(await store.log.claim(claimOf(short.run.id))).toMatchObject({ claimed: true });
  });

  it("X1 supersedes an approval by an edit, once, with the changes in the log and the audit log", async () => {
    const { run, ownerId, approvalId, actionId, effectId, digest } = await parkedRun();
    const changes = { to: ["eva@x.example"], note: null, text: "a\u0000b" };
    await expect(
      store.approvals.edit({ ownerId: freshOwner(), approvalId, digest, changes }),
    ).rejects.toMatchObject({ code: "not_found" });
    await expect(
      store.approvals.edit({ ownerId, approvalId, digest: "sha256:other", changes }),
    ).rejects.toMatchObject({ code: "digest_mismatch" });
    const edits = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        store.approvals.edit({ ownerId, approvalId, digest, changes }),
      ),
    );
    expect(edits.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(
      store.approvals.decide({ ownerId, approvalId, digest, approved: true }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({
      state: "superseded",
      prepared: { text: "hi" },
      diff: [],
      reply: null,
      undoUntil: null,
    });
    expect(await store.runs.events(ownerId, run.id, 6)).toMatchObject([
      {
        seq: 7,
        type: "approval",
        payload: {
          approvalId,
          actionId,
          effectId,
          digest,
          state: "superseded",
          by: ownerId,
          edit: { to: ["eva@x.example"], note: null },
        },
      },
    ]);
    expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
      {
        what: "approval.superseded",
        by: "owner",
        details: { edited: expect.arrayContaining(["to", "note", "text"]) },
      },
    ]);
    expect(await store.log.claim(claimOf(run.id))).toMatchObject({ claimed: true });
  });

  it("X1 stores replies and edits", async () => {
    const { run, ownerId, approvalId, actionId, digest } = await parkedRun();
    expect(
      await store.approvals.decide({
        ownerId,
        approvalId,
        digest,
        approved: false,
        reply: "shorter",
      }),
    ).toMatchObject({ state: "denied", reply: "shorter", group: `${run.id}:1:tool:post` });
    expect(await store.runs.events(ownerId, run.id, 6)).toMatchObject([
      { payload: { state: "denied", reply: "shorter" } },
    ]);
    expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
      { what: "approval.denied", details: { reply: "shorter" } },
    ]);
    const { lease } = await claim(run.id);
    const next = { approvalId: randomUUID(), effectId: randomUUID() };
    const reasons: PolicyReason[] = [{ code: "edited" }, "because"];
    const diff = [{ field: "text", before: "hi", after: "ho" }];
    const events: NewEvent[] = [
      {
        type: "effect",
        payload: {
          effectId: next.effectId,
          actionId,
          tool: "post",
          state: "awaiting_confirmation",
          digest: "sha256:next",
          prepared: { text: "ho" },
          preview: "post ho",
        },
      },
      {
        type: "approval",
        payload: {
          ...next,
          actionId,
          tool: "post",
          digest: "sha256:next",
          state: "pending",
          reasons,
          preview: "post ho",
          expiresAt: "2100-01-01T00:00:00.000Z",
          diff,
        },
      },
    ];
    expect(await store.log.append(appendOf(lease, 7, events, { release: "park" }))).toMatchObject({
      ok: true,
    });
    expect(await store.approvals.get(ownerId, next.approvalId)).toMatchObject({
      state: "pending",
      prepared: { text: "ho" },
      group: `${run.id}:1:tool:post`,
      reasons,
      diff,
    });
    expect(
      (await store.approvals.list(ownerId, { runId: run.id })).map(({ group }) => group),
    ).toEqual([`${run.id}:1:tool:post`, `${run.id}:1:tool:post`]);
  });

  it("X1 lets an approval be undone until its undo time, and no longer", async () => {
    const { run, ownerId, approvalId, digest } = await parkedRun();
    await expect(store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    const before = await store.approvals.get(ownerId, approvalId);
    const approved = await store.approvals.decide({
      ownerId,
      approvalId,
      digest,
      approved: true,
      undoMs: 5_000,
      tokenHash: "t",
    });
    expect(approved).toMatchObject({ state: "approved", undoUntil: expect.any(String) });
    expect(Date.parse(approved.expiresAt) - Date.parse(before!.expiresAt)).toBe(5_000);
    const [event] = await store.runs.events(ownerId, run.id, 6);
    expect(event).toMatchObject({
      payload: {
        state: "approved",
        undoUntil: expect.any(Number),
        expiresAt: approved.expiresAt,
      },
    });
    expect(event?.type === "approval" && event.payload.undoUntil).toBe(
      Date.parse(approved.undoUntil ?? ""),
    );
    await expect(store.approvals.undo(freshOwner(), approvalId)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(await store.approvals.undo(ownerId, approvalId)).toMatchObject({
      state: "denied",
      undoUntil: approved.undoUntil,
    });
    await expect(store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    expect(await store.runs.events(ownerId, run.id, 7)).toMatchObject([
      { payload: { state: "denied", undone: true, by: ownerId } },
    ]);
    expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
      { what: "approval.denied", by: "owner", details: { undone: true } },
    ]);
    const late = await parkedRun();
    await store.approvals.decide({
      ownerId: late.ownerId,
      approvalId: late.approvalId,
      digest: late.digest,
      approved: true,
      undoMs: 60_000,
    });
    await under.passTime(61_000);
    await expect(store.approvals.undo(late.ownerId, late.approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
  });

  it("X1 reopens a denial until its undo time, and no longer", async () => {
    const { run, ownerId, approvalId, digest } = await parkedRun();
    const before = await store.approvals.get(ownerId, approvalId);
    const choice = { ownerId, approvalId, digest, approved: false, undoMs: 5_000 } as const;
    const denied = await store.approvals.decide({ ...choice, reason: "not now" });
    expect(denied).toMatchObject({
      state: "denied",
      decisionReason: "not now",
      undoUntil: null,
      reopenUntil: expect.any(String),
      reopened: 0,
    });
    const [event] = await store.runs.events(ownerId, run.id, 6);
    expect(event).toMatchObject({
      payload: { state: "denied", reopenUntil: Date.parse(denied.reopenUntil ?? "") },
    });
    expect(event?.payload).not.toHaveProperty("undoUntil");
    await expect(store.approvals.undo(freshOwner(), approvalId)).rejects.toMatchObject({
      code: "not_found",
    });
    const reopened = await store.approvals.undo(ownerId, approvalId);
    expect(reopened).toEqual({ ...before, expiresAt: denied.expiresAt, reopened: 1 });
    expect(await store.approvals.get(ownerId, approvalId)).toEqual(reopened);
    await expect(store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    expect(await store.runs.events(ownerId, run.id, 7)).toMatchObject([
      { payload: { state: "pending", reopened: true, by: ownerId } },
    ]);
    expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
      { what: "approval.reopened", by: "owner" },
    ]);
    expect(await store.approvals.decide({ ...choice, approved: true })).toMatchObject({
      state: "approved",
      reopenUntil: null,
      reopened: 1,
    });
    const late = await parkedRun();
    const { undoMs: _, ...atOnce } = choice;
    await store.approvals.decide({ ...choice, ...only(late) });
    await under.passTime(6_000);
    await expect(store.approvals.undo(late.ownerId, late.approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
    const final = await parkedRun();
    expect(await store.approvals.decide({ ...atOnce, ...only(final) })).toMatchObject({
      reopenUntil: null,
    });
    await expect(store.approvals.undo(final.ownerId, final.approvalId)).rejects.toMatchObject({
      code: "approval_closed",
    });
  });

  it("hides a snoozed approval from counts until its time, and still expires it", async () => {
    const ownerId = freshOwner();
    const { approvalId, digest, run } = await parkedRun(ownerId, 60_000);
    await parkedRun(ownerId);
    const counts = async () => [
      (await store.runs.changes([ownerId], { runIds: [run.id] }))[0]?.pendingApprovals,
      (await store.brons.list(ownerId)).reduce((sum, bron) => sum + bron.pendingApprovals, 0),
    ];
    expect(await counts()).toEqual([2, 2]);
    const until = Date.parse(run.createdAt) + 30_000;
    await expect(store.approvals.snooze(freshOwner(), approvalId, until)).rejects.toMatchObject({
      code: "not_found",
    });
    const before = await store.approvals.get(ownerId, approvalId);
    const snoozed = await store.approvals.snooze(ownerId, approvalId, until);
    expect(snoozed).toEqual({ ...before, snoozedUntil: new Date(until).toISOString() });
    expect(await counts()).toEqual([1, 1]);
    expect(await store.approvals.list(ownerId, { pendingOnly: true })).toHaveLength(2);
    await store.approvals.snooze(ownerId, approvalId, undefined);
    expect(await counts()).toEqual([2, 2]);
    await store.approvals.snooze(ownerId, approvalId, until);
    await under.passTime(31_000);
    expect(await counts()).toEqual([2, 2]);
    await under.passTime(31_000);
    await store.approvals.expireDue();
    expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "expired" });
    await expect(store.approvals.snooze(ownerId, approvalId, until)).rejects.toMatchObject({
      code: "approval_closed",
    });
    await expect(store.approvals.snooze(ownerId, randomUUID(), until)).rejects.toMatchObject({
      code: "not_found",
    });
    expect(digest).toBe(snoozed.digest);
  });

  it("X1 uses up an approval at most once, and only if it is approved and not expired", async () => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
    const attempting = (): NewEvent => ({
      type: "effect",
      payload: {
        effectId,
        actionId,
        tool: "post",
        state: "attempting",
        digest,
        attempt: 1,
        deadlineMs: 1_000,
      },
    });
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(run.id);
    expect(
      await store.log.append(appendOf(lease, 7, [attempting()], { consume: [randomUUID()] })),
    ).toEqual({ ok: false, reason: "approval" });
    expect(
      await store.log.append(appendOf(lease, 7, [attempting()], { consume: [approvalId] })),
    ).toMatchObject({ ok: true });
    expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "used" });
    expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
      { state: "attempting", attempts: 1, deadlineAt: expect.any(String) },
    ]);
    expect(
      await store.log.append(appendOf(lease, 8, [attempting()], { consume: [approvalId] })),
    ).toEqual({ ok: false, reason: "approval" });
  });

  it("X1 uses up no approval of another run, and returns a token hash only once its approval is used", async () => {
    const ownerId = freshOwner();
    const [mine, other] = [await parkedRun(ownerId), await parkedRun(ownerId)];
    for (const { approvalId, digest } of [mine, other])
      await store.approvals.decide({
        ownerId,
        approvalId,
        digest,
        approved: true,
        tokenHash: `hash of ${approvalId}`,
      });
    expect(await store.approvals.usedTokenHash(ownerId, mine.approvalId)).toBeUndefined();
    const { lease } = await claim(mine.run.id);
    for (const consume of [[other.approvalId], [mine.approvalId, other.approvalId]])
      expect(await store.log.append(appendOf(lease, 7, [note("not mine")], { consume }))).toEqual({
        ok: false,
        reason: "approval",
      });
    for (const { approvalId } of [mine, other])
      expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "approved" });
    expect(
      await store.log.append(appendOf(lease, 7, [note("mine")], { consume: [mine.approvalId] })),
    ).toMatchObject({ ok: true });
    expect(await store.approvals.usedTokenHash(ownerId, mine.approvalId)).toBe(
      `hash of ${mine.approvalId}`,
    );
    expect(await store.approvals.usedTokenHash(freshOwner(), mine.approvalId)).toBeUndefined();
    expect(await store.approvals.usedTokenHash(ownerId, other.approvalId)).toBeUndefined();
  });

  it("X1 rejects an approval that expired by the store's clock before it was used", async () => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun(
      freshOwner(),
      60_000,
    );
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    const { lease } = await claim(run.id);
    await under.passTime(61_000);
    const attempting: NewEvent = {
      type: "effect",
      payload: {
        effectId,
        actionId,
        tool: "post",
        state: "attempting",
        digest,
        attempt: 1,
        deadlineMs: 1_000,
      },
    };
    expect(
      await store.log.append(appendOf(lease, 7, [attempting], { consume: [approvalId] })),
    ).toEqual({ ok: false, reason: "approval" });
    expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "approved" });
  });

  it("expires overdue approvals even if one belongs to a finished run", async () => {
    const [over, waiting] = [
      await parkedRun(freshOwner(), 60_000),
      await parkedRun(freshOwner(), 60_000),
    ];
    await store.runs.requestCancel(over.ownerId, over.run.id);
    const { lease } = await claim(over.run.id);
    expect(
      await store.log.append(
        appendOf(lease, 7, [{ type: "status", payload: { status: "failed" } }], {
          release: "end",
        }),
      ),
    ).toMatchObject({ ok: true });
    await under.passTime(61_000);
    await store.approvals.expireDue();
    expect(await store.approvals.get(over.ownerId, over.approvalId)).toMatchObject({
      state: "expired",
    });
    expect(await store.approvals.get(waiting.ownerId, waiting.approvalId)).toMatchObject({
      state: "expired",
    });
    expect(await store.approvals.expireDue()).toBe(0);
  });

  it("wakes a parked run exactly once by a choice, and only notifies a live holder", async () => {
    const { run, ownerId, approvalId, digest } = await parkedRun();
    const before = under.wakes.filter((wake) => wake.runId === run.id).length;
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
    await expect
      .poll(() => under.wakes.filter((wake) => wake.runId === run.id).length)
      .toBe(before + 1);
    expect(under.wakes.filter((wake) => wake.runId === run.id).at(-1)).toMatchObject({
      held: false,
      wake: 2,
    });
    await claim(run.id);
    await store.runs.requestCancel(ownerId, run.id);
    await expect
      .poll(() => under.wakes.filter((wake) => wake.runId === run.id).at(-1)?.held)
      .toBe(true);
  });

  it("lists an owner's approvals oldest first, page by page", async () => {
    const ownerId = freshOwner();
    const made: string[] = [];
    for (let index = 0; index < 5; index++) made.push((await parkedRun(ownerId)).approvalId);
    await parkedRun();
    const idsOf = async (options: Parameters<typeof store.approvals.list>[1]) =>
      (await store.approvals.list(ownerId, options)).map(({ id }) => id);
    expect(await idsOf({ limit: 2 })).toEqual(made.slice(0, 2));
    expect(await idsOf({ limit: 2, after: made[1]!, pendingOnly: true })).toEqual(made.slice(2, 4));
    expect(await idsOf({ after: made[4]! })).toEqual([]);
    expect(await idsOf({ after: randomUUID() })).toEqual([]);
  });
}

const only = ({
  ownerId,
  approvalId,
  digest,
}: {
  readonly ownerId: string;
  readonly approvalId: string;
  readonly digest: string;
}) => ({ ownerId, approvalId, digest });
