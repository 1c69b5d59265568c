import { randomUUID } from "node:crypto";
import type { NewEvent, WrittenThings } from "@bron/protocol";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testWrittenThings({ createRun, claim, store }: StoreHarness): void {
  /** A run with an effect for each of these, which ends. */
  const writer = async (written: readonly WrittenThings[], ownerId = freshOwner()) => {
    const run = await createRun(ownerId);
    const { lease, lastSeq } = await claim(run.id);
    const events = written.flatMap((wrote): NewEvent[] => {
      const [actionId, effectId] = [randomUUID(), randomUUID()];
      const effect = { effectId, actionId, tool: "post", digest: `sha256:${effectId}` };
      const call = { actionId, callId: actionId, tool: "post", input: null };
      return [
        {
          type: "step",
          payload: { phase: "end", step: 1, attempt: 1, finish: "tool-calls", calls: [call] },
        },
        { type: "effect", payload: { ...effect, state: "approved", prepared: null } },
        { type: "effect", payload: { ...effect, state: "done", wrote } },
        { type: "tool", payload: { phase: "end", actionId, name: "post", outcome: "completed" } },
      ];
    });
    const ended = { type: "status" as const, payload: { status: "completed" as const } };
    const request = appendOf(lease, lastSeq, [...events, ended], { release: "end" });
    expect(await store.log.append(request)).toMatchObject({ ok: true });
    return { ownerId, runId: run.id, threadId: run.threadId };
  };
  const draft = (id = randomUUID()) => ({ kind: "draft", id }) as const;

  it("X4 knows every run that wrote a thing, of this owner only", async () => {
    const [one, other] = [draft(), draft()];
    const { ownerId, runId } = await writer([{ things: [one, other, one], trusted: true }]);
    const second = await writer([{ things: [one], trusted: false }], ownerId);
    const writers = await store.written.writersOf(ownerId, one);
    expect(writers).toHaveLength(2);
    expect(writers).toContainEqual({ runId, trusted: true });
    expect(writers).toContainEqual({ runId: second.runId, trusted: false });
    expect(await store.written.writersOf(ownerId, other)).toEqual([{ runId, trusted: true }]);
    expect(await store.written.writersOf(ownerId, { ...one, kind: "note" })).toEqual([]);
    expect(await store.written.writersOf(freshOwner(), one)).toEqual([]);
  });

  it("X4 keeps a thing untrusted when the same run writes it again", async () => {
    const [one, other] = [draft(), draft()];
    const { ownerId, runId } = await writer([
      { things: [one], trusted: false },
      { things: [one, other], trusted: true },
      { things: [other], trusted: false },
    ]);
    for (const thing of [one, other])
      expect(await store.written.writersOf(ownerId, thing)).toEqual([{ runId, trusted: false }]);
  });

  it("X4 still knows the writer when the conversation is deleted", async () => {
    const thing = draft();
    const { ownerId, runId, threadId } = await writer([{ things: [thing], trusted: false }]);
    await store.threads.delete(ownerId, threadId);
    expect(await store.written.writersOf(ownerId, thing)).toEqual([{ runId, trusted: false }]);
  });
}
