import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness, tailOf } from "./store-harness.ts";

export function testWhoseWords({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("X4 keeps that a program sent a task and its earlier messages", async () => {
    const ownerId = freshOwner();
    const earlier = [{ role: "user" as const, content: "before" }];
    const first = await createRun(ownerId, { program: "CI", earlier });
    const { lease, events } = await claim(first.id);
    expect(events[1]?.payload).toEqual({ role: "user", content: "say hello", program: "CI" });
    const said = { role: "user" as const, content: "And this?", program: "CI" };
    await store.log.append(appendOf(lease, 2, [{ type: "message", payload: said }]));
    const second = await createRun(ownerId, {
      input: { prompt: "two", threadId: first.threadId },
    });
    expect(await tailOf(store, ownerId, first.threadId, second.id, 10)).toEqual([
      { role: "user", content: "before", trusted: false },
      { role: "user", content: "say hello", trusted: false },
      { role: "user", content: "And this?", trusted: false },
    ]);
  });

  it("X4 keeps that the owner put a text back, in a task and in a message", async () => {
    const ownerId = freshOwner();
    const earlier = [{ role: "user" as const, content: "before" }];
    const first = await createRun(ownerId, { asTyped: true, earlier });
    const { lease, events } = await claim(first.id);
    expect(events[1]?.payload).toEqual({ role: "user", content: "say hello", asTyped: true });
    const said = { role: "user" as const, content: "> this", asTyped: true as const };
    const plain = { role: "user" as const, content: "that" };
    await store.log.append(
      appendOf(lease, 2, [
        { type: "message", payload: said },
        { type: "message", payload: plain },
      ]),
    );
    const second = await createRun(ownerId, {
      input: { prompt: "two", threadId: first.threadId },
    });
    expect(await tailOf(store, ownerId, first.threadId, second.id, 10)).toEqual([
      { role: "user", content: "before", trusted: true },
      { role: "user", content: "say hello", trusted: true, asTyped: true },
      { role: "user", content: "> this", trusted: true, asTyped: true },
      { role: "user", content: "that", trusted: true },
    ]);
  });

  it("records whose words a message is, and rejects the same words put back under its key", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const message = { messageId: "m1", content: "> this", program: "CI" };
    const putBack = { messageId: "m2", content: "> this", asTyped: true as const };
    await store.runs.addMessage(ownerId, run.id, message);
    await store.runs.addMessage(ownerId, run.id, putBack);
    expect(await store.runs.addMessage(ownerId, run.id, putBack)).toBe(true);
    expect((await store.runs.events(ownerId, run.id, 2)).map(({ payload }) => payload)).toEqual([
      { ...message, by: ownerId },
      { ...putBack, by: ownerId },
    ]);
    await expect(
      store.runs.addMessage(ownerId, run.id, { ...putBack, messageId: "m1" }),
    ).rejects.toMatchObject({ code: "conflict" });
  });

  it("records that a program edited an approval or replied to it", async () => {
    const edited = await parkedRun();
    const { ownerId, approvalId, digest } = edited;
    const changes = { text: "b" };
    await store.approvals.edit({ ownerId, approvalId, digest, changes, program: "CI" });
    expect(await store.runs.events(ownerId, edited.run.id, 6)).toMatchObject([
      { payload: { state: "superseded", edit: changes, program: "CI" } },
    ]);
    const replied = await parkedRun();
    await store.approvals.decide({
      ownerId: replied.ownerId,
      approvalId: replied.approvalId,
      digest: replied.digest,
      approved: false,
      reply: "shorter",
      program: "CI",
    });
    expect(await store.runs.events(replied.ownerId, replied.run.id, 6)).toMatchObject([
      { payload: { state: "denied", reply: "shorter", program: "CI" } },
    ]);
  });
}
