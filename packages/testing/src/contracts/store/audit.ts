import { randomUUID } from "node:crypto";
import type { Store } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testAudit({ claim, parkedRun, store, under }: StoreHarness): void {
  it("RT12 records every change of an approval and an effect in the audit log, in order, with its actor", async () => {
    const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
    await store.approvals.decide({ ownerId, approvalId, digest, approved: true, reason: "fine" });
    const { lease } = await claim(run.id);
    const word = (
      payload: { state: "attempting"; attempt: number; deadlineMs: number } | { state: "done" },
    ): NewEvent => ({
      type: "effect",
      payload: { effectId, actionId, tool: "post", digest, ...payload },
    });
    await store.log.append(
      appendOf(lease, 7, [word({ state: "attempting", attempt: 1, deadlineMs: 1_000 })], {
        consume: [approvalId],
      }),
    );
    await store.log.append(appendOf(lease, 8, [word({ state: "done" })]));
    const rows = (await store.audit.list(ownerId, { runId: run.id })).toReversed();
    expect(rows.map(({ what, by, approvalId: approval }) => [what, by, approval])).toEqual([
      ["effect.awaiting_confirmation", "bron", null],
      ["approval.requested", "bron", approvalId],
      ["approval.approved", "owner", approvalId],
      ["approval.used", "bron", approvalId],
      ["effect.attempting", "bron", null],
      ["effect.done", "bron", null],
    ]);
    for (const row of rows)
      expect(row).toMatchObject({
        runId: run.id,
        actionId,
        effectId,
        tool: "post",
        digest,
        at: expect.any(String),
      });
    expect(rows[2]?.details).toEqual({ reason: "fine" });
    expect(rows[4]?.details).toEqual({ attempt: 1 });
    const short = await parkedRun(freshOwner(), 60_000);
    await under.passTime(61_000);
    await store.approvals.expireDue();
    expect(await store.audit.list(short.ownerId, { limit: 1 })).toMatchObject([
      {
        what: "approval.expired",
        by: "system",
        approvalId: short.approvalId,
        runId: short.run.id,
      },
    ]);
  });

  it("RT12 lists the audit log newest first, page by page, by run and by kind", async () => {
    const [ownerId, runId] = [freshOwner(), randomUUID()];
    for (const what of ["rule.added", "effect.done", "rule.removed"] as const)
      await store.audit.write(ownerId, {
        what,
        by: "owner",
        ...(what === "effect.done" ? { runId } : {}),
        details: { what },
      });
    const whats = async (options: Parameters<Store["audit"]["list"]>[1]) =>
      (await store.audit.list(ownerId, options)).map(({ what }) => what);
    expect(await whats({})).toEqual(["rule.removed", "effect.done", "rule.added"]);
    const [newest] = await store.audit.list(ownerId, { limit: 1 });
    expect(newest).toMatchObject({
      what: "rule.removed",
      runId: null,
      tool: null,
      digest: null,
      details: { what: "rule.removed" },
    });
    expect(await whats({ before: newest!.id, limit: 1 })).toEqual(["effect.done"]);
    expect(await whats({ what: "rule" })).toEqual(["rule.removed", "rule.added"]);
    expect(await whats({ what: "rule.added" })).toEqual(["rule.added"]);
    expect(await whats({ runId })).toEqual(["effect.done"]);
    expect(await whats({ runId: "no id" })).toEqual([]);
  });
}
