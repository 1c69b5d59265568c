import { expect, it } from "vitest";
import { appendOf, freshOwner, note, type StoreHarness } from "./store-harness.ts";

export function testOwnerMessages({ claim, createRun, store }: StoreHarness): void {
  const message = { messageId: "m1", content: "In French, please." };

  it("advances the log at a message of the owner, so that no append that missed it commits", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    const { lease } = await claim(run.id);
    expect(await store.runs.addMessage(ownerId, run.id, message)).toBe(true);
    expect(await store.log.append(appendOf(lease, 2, [note("begin")]))).toEqual({
      ok: false,
      reason: "moved",
    });
    expect(await store.log.read(lease, 2)).toMatchObject([
      { type: "owner_message", payload: { ...message, by: ownerId } },
    ]);
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({ runnable: true });
  });

  it("records a message once, however often and fast it is sent", async () => {
    const ownerId = freshOwner();
    const [run, other] = [await createRun(ownerId), await createRun(ownerId)];
    const results = await Promise.all(
      Array.from({ length: 8 }, () => store.runs.addMessage(ownerId, run.id, message)),
    );
    expect(results).toEqual(results.map(() => true));
    expect(await store.runs.events(ownerId, run.id, 2)).toHaveLength(1);
    expect(await store.runs.addMessage(ownerId, other.id, message)).toBe(true);
    expect(await store.runs.events(ownerId, other.id, 2)).toHaveLength(1);
  });

  it("rejects other words with the key of an earlier message", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    await store.runs.addMessage(ownerId, run.id, message);
    await expect(
      store.runs.addMessage(ownerId, run.id, { ...message, content: "In German, please." }),
    ).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(/already used/) });
    await expect(
      store.runs.addMessage(ownerId, run.id, { ...message, context: ["a mail"] }),
    ).rejects.toMatchObject({ code: "conflict" });
    expect(await store.runs.addMessage(ownerId, run.id, message)).toBe(true);
    expect(await store.runs.events(ownerId, run.id, 2)).toHaveLength(1);
    const withContext = { messageId: "m2", content: "And this?", context: ["a", "b"] };
    await store.runs.addMessage(ownerId, run.id, withContext);
    expect(await store.runs.addMessage(ownerId, run.id, withContext)).toBe(true);
    expect(await store.runs.events(ownerId, run.id, 3)).toMatchObject([{ payload: withContext }]);
  });

  it("records no message in a run that has ended, or that belongs to another owner", async () => {
    const ownerId = freshOwner();
    const run = await createRun(ownerId);
    await expect(store.runs.addMessage(freshOwner(), run.id, message)).rejects.toMatchObject({
      code: "not_found",
    });
    const { lease } = await claim(run.id);
    const end = { type: "status" as const, payload: { status: "completed" as const } };
    await store.log.append(appendOf(lease, 2, [end], { release: "end" }));
    expect(await store.runs.addMessage(ownerId, run.id, message)).toBe(false);
    expect(await store.runs.addMessage(ownerId, run.id, message)).toBe(false);
    expect(await store.runs.events(ownerId, run.id, 3)).toEqual([]);
  });
}
