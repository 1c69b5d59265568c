import { randomUUID } from "node:crypto";
import type { NewEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, claimOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testLog({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("BR19 appends with seq from 1 without gaps, and only at the end that the writer saw", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const { lease, lastSeq } = await claim(run.id);
    expect(lastSeq).toBe(2);
    expect(await store.log.append(appendOf(lease, 1, [note("stale")]))).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(await store.log.append(appendOf(lease, 3, [note("ahead")]))).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(await store.log.append(appendOf(lease, 2, [note("a"), note("b")]))).toMatchObject({
      ok: true,
      lastSeq: 4,
    });
    const results = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store.log.append(appendOf(lease, 4, [note(`race ${index}`)])),
      ),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect((await store.runs.events(ownerId, run.id, 0)).map(({ seq }) => seq)).toEqual([
      1, 2, 3, 4, 5,
    ]);
    expect((await store.log.read(lease, 3)).map(({ seq }) => seq)).toEqual([4, 5]);
  });

  it("BR19 stores any text: NUL, an unpaired surrogate, quotes, emoji", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId, { input: { prompt: "a\u0000b \\u0000 “q” 🙂" } });
    const { lease } = await claim(run.id);
    const odd = {
      type: "tool",
      payload: {
        phase: "end",
        actionId: randomUUID(),
        name: "x",
        outcome: "completed",
        output: { "k\u0000": "v\ud800w", path: "C:\\u0000\\dir" },
      },
    } as const;
    const result = await store.log.append(appendOf(lease, 2, [odd]));
    expect(result.ok).toBe(true);
    const [event] = await store.runs.events(ownerId, run.id, 2);
    expect(JSON.stringify(event?.payload)).toContain("C:\\\\u0000\\\\dir");
    expect(await store.runs.list(ownerId, { before: randomUUID() })).toEqual([]);
    expect(await store.runs.counts(ownerId)).toEqual({ queued: 1 });
  });

  it("BR8 writes projections in the transaction of their events, and none when the append is rejected", async () => {
    const { run, ownerId, actionId, effectId, approvalId, digest, lease } = await parkedRun();
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({
      status: "awaiting_confirmation",
      lastSeq: 6,
    });
    expect(await store.runs.actions(ownerId, run.id)).toMatchObject([
      { id: actionId, tool: "post", state: "awaiting_confirmation", input: { text: "hi" } },
    ]);
    expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
      { id: effectId, state: "awaiting_confirmation", digest, attempts: 0 },
    ]);
    expect(await store.approvals.list(ownerId, { runId: run.id })).toMatchObject([
      { id: approvalId, state: "pending", prepared: { text: "hi" }, preview: "post hi" },
    ]);
    const late: NewEvent = {
      type: "tool",
      payload: { phase: "end", actionId, name: "post", outcome: "completed", output: 1 },
    };
    expect(await store.log.append(appendOf(lease, 6, [late]))).toMatchObject({ ok: false });
    expect(await store.runs.actions(ownerId, run.id)).toMatchObject([
      { state: "awaiting_confirmation", output: null },
    ]);
  });

  it("releases the lease with the park and with the end, in the same statement", async () => {
    const { run, ownerId, approvalId, digest } = await parkedRun();
    await store.approvals.decide({ ownerId, approvalId, digest, approved: false, reason: "no" });
    const again = await claim(run.id, { worker: "w2" });
    const end: NewEvent[] = [
      {
        type: "message",
        payload: { role: "assistant", content: "bye", step: 2, final: true, parts: [] },
      },
      { type: "status", payload: { status: "completed" } },
    ];
    expect(await store.log.append(appendOf(again.lease, 7, end, { release: "end" }))).toMatchObject(
      { ok: true },
    );
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({
      status: "completed",
      summary: "bye",
      finishedAt: expect.any(String),
    });
    expect(await store.log.claim(claimOf(run.id))).toMatchObject({
      claimed: false,
      reason: "not_runnable",
    });
  });

  it("X3 returns every rule that denies, once it is committed, with an append that starts a read", async () => {
    const ownerId = freshOwner();
    const { permissions } = store;
    const { id, bronId } = await createRun(ownerId);
    const other = await store.brons.create(ownerId, {
      name: "Nova",
      systemPrompt: "",
      personaSource: "typed",
      trustLevel: "supervised",
    });
    const { lease, lastSeq } = await claim(id);
    let seen = lastSeq;
    const denied = async () => {
      const request = appendOf(lease, seen++, [note("read")], { needsDenyingRules: true });
      const result = await store.log.append(request);
      return result.ok ? result.denyingRules : result;
    };
    expect(await denied()).toEqual([]);
    const put = (tool: string, more: object = {}) =>
      permissions.putRule(ownerId, { bronId: null, tool, verdict: "deny", ...more });
    const read = await put("read", { host: "a.example" });
    const ofTool = (tool: string, more: object = {}) => ({
      tool,
      host: null,
      server: null,
      verdict: "deny",
      ofBron: false,
      ...more,
    });
    expect(await denied()).toEqual([ofTool("read", { host: "a.example" })]);
    await put("own", { bronId });
    await put("of_another_bron", { bronId: other });
    await put("asks", { verdict: "ask" });
    await permissions.putRule(freshOwner(), { bronId: null, tool: "foreign", verdict: "deny" });
    const found = await denied();
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([ofTool("own", { ofBron: true })]));
    await permissions.removeRule(ownerId, read.id);
    expect(await denied()).toEqual([ofTool("own", { ofBron: true })]);
    const others = await store.log.append(appendOf(lease, seen, [note("no read")]));
    expect(others).not.toHaveProperty("denyingRules");
  });

  it("RT12 appends nothing under a lease that names another owner", async () => {
    const run = await createRun(freshOwner());
    const { lease } = await claim(run.id);
    expect(
      await store.log.append(appendOf({ ...lease, ownerId: freshOwner() }, 2, [note("foreign")])),
    ).toEqual({ ok: false, reason: "lost" });
    expect(await store.runs.events(run.ownerId, run.id, 2)).toEqual([]);
    expect(await store.log.append(appendOf(lease, 2, [note("own")]))).toMatchObject({ ok: true });
  });
}
