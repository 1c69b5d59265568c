import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

export function testLive({ claim, createRun, parkedRun, store }: StoreHarness): void {
  it("BR6 shows the partial text of a run to its owner while the model writes", async () => {
    const ownerId = freshOwner();
    const { id } = await createRun(ownerId);
    const { partialTexts } = store;
    const text = { step: 1, attempt: 1, text: "So far" };
    await partialTexts.put(new Map([[id, text]]));
    expect(await partialTexts.get(ownerId, id)).toBeUndefined();
    const { lease } = await claim(id);
    await store.log.append(
      appendOf(lease, 2, [
        {
          type: "step",
          payload: {
            phase: "start",
            step: 1,
            attempt: 1,
            model: "scripted",
            activeMs: 0,
            reservedMicrousd: 0,
          },
        },
      ]),
    );
    await partialTexts.put(
      new Map([
        [id, text],
        [randomUUID(), text],
      ]),
    );
    expect(await partialTexts.get(ownerId, id)).toEqual(text);
    expect(await partialTexts.get(freshOwner(), id)).toBeUndefined();
    await partialTexts.remove([id]);
    expect(await partialTexts.get(ownerId, id)).toBeUndefined();
  });

  it("RT5 shows thoughts while the model writes, and progress while tools run", async () => {
    const ownerId = freshOwner();
    const { id } = await createRun(ownerId);
    const { partialTexts } = store;
    const position = { step: 1, attempt: 1, revision: 7 };
    const thoughts = { from: 3, text: "I see\u0000" };
    const progress = [{ actionId: randomUUID(), message: "1 of 2" }];
    const { lease } = await claim(id);
    const status = async (lastSeq: number, is: "planning" | "executing") =>
      await store.log.append(
        appendOf(lease, lastSeq, [{ type: "status", payload: { status: is } }]),
      );
    await status(2, "planning");
    await partialTexts.put(new Map([[id, { ...position, text: "", thoughts }]]));
    expect(await partialTexts.get(ownerId, id)).toEqual({
      ...position,
      text: "",
      thoughts: { from: 3, text: "I see\uFFFD" },
    });
    await partialTexts.put(new Map([[id, { ...position, text: "", progress }]]));
    expect(await partialTexts.get(ownerId, id)).toEqual({ ...position, text: "" });
    await status(3, "executing");
    expect(await partialTexts.get(ownerId, id)).toEqual({ ...position, text: "", progress });
    expect(await partialTexts.get(freshOwner(), id)).toBeUndefined();
    await partialTexts.put(new Map([[id, { ...position, text: "late", thoughts }]]));
    expect(await partialTexts.get(ownerId, id)).toBeUndefined();
  });

  it("lets a key be used once", async () => {
    const key = `key-${randomUUID()}`;
    expect(await store.usedKeys.wasUsed(key)).toBe(false);
    const uses = await Promise.all(Array.from({ length: 5 }, () => store.usedKeys.useOnce(key)));
    expect(uses.filter(Boolean)).toHaveLength(1);
    expect(await store.usedKeys.wasUsed(key)).toBe(true);
  });

  it("BR23 counts unfinished runs and pending approvals of all owners", async () => {
    await store.load.ping();
    const before = await store.load.load();
    await parkedRun();
    const after = await store.load.load();
    expect(after.approvalsPending).toBe(before.approvalsPending + 1);
    expect(after.runs.awaiting_confirmation).toBe((before.runs.awaiting_confirmation ?? 0) + 1);
    expect(after.oldestWaitingSeconds).toBeGreaterThanOrEqual(0);
  });
}
