import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { appendOf, freshOwner, type StoreHarness } from "./store-harness.ts";

const none = new Map<number, never>();

export function testAskUses({ createRun, claim, parkedRun, store }: StoreHarness): void {
  const task = async () => {
    const ownerId = freshOwner();
    const { id: rootRunId } = await createRun(ownerId);
    return { ownerId, rootRunId };
  };

  it("X3 lets one action use an ask, however many try at once", async () => {
    const { ownerId, rootRunId } = await task();
    const keys = ["w1:0-4:send_mail"];
    const actions = Array.from({ length: 8 }, () => randomUUID());
    const held = await Promise.all(
      actions.map((actionId) =>
        store.askUses.use({ ownerId, rootRunId }, { keys, runId: rootRunId, actionId }),
      ),
    );
    const winners = actions.filter((_, index) => held[index]);
    expect(winners).toHaveLength(1);
    const open = await store.askUses.open({ ownerId, rootRunId }, none);
    expect(open.held).toEqual(new Map([["w1:0-4:send_mail", winners[0]]]));
    const again = { keys, runId: rootRunId, actionId: winners[0] ?? "" };
    expect(await store.askUses.use({ ownerId, rootRunId }, again)).toBe(true);
    const other = { ...again, keys: ["w1:0-4:reply"], actionId: randomUUID() };
    expect(await store.askUses.use({ ownerId, rootRunId }, other)).toBe(true);
    const foreign = await store.askUses.open({ ownerId: freshOwner(), rootRunId }, none);
    expect(foreign.held).toEqual(new Map());
  });

  it("X3 uses all asks of an effect or none of them", async () => {
    const { ownerId, rootRunId } = await task();
    const use = (actionId: string, ...keys: string[]) =>
      store.askUses.use({ ownerId, rootRunId }, { keys, runId: rootRunId, actionId });
    const [first, second] = [randomUUID(), randomUUID()];
    expect(await use(first, "each\na@a.example", "each\nb@a.example")).toBe(true);
    expect(await use(second, "each\nb@a.example", "each\nc@a.example")).toBe(false);
    const { held } = await store.askUses.open({ ownerId, rootRunId }, none);
    expect([...held.keys()].toSorted()).toEqual(["each\na@a.example", "each\nb@a.example"]);
    expect(await use(second, "each\nc@a.example")).toBe(true);
  });

  it("X3 gives an ask back if the effect was not done, and keeps it otherwise", async () => {
    for (const [state, outcome, isGivenBack] of [
      ["failed", "failed", true],
      ["done", "completed", false],
      ["unknown", "unknown", false],
    ] as const) {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      const parked = { ownerId, rootRunId: run.id };
      const use = { keys: ["w1:0-4:post"], runId: run.id, actionId };
      expect(await store.askUses.use(parked, use)).toBe(true);
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      await store.log.append(
        appendOf(lease, 7, [
          { type: "effect", payload: { effectId, actionId, tool: "post", state, digest } },
          { type: "tool", payload: { phase: "end", actionId, name: "post", outcome } },
        ]),
      );
      const { held } = await store.askUses.open(parked, none);
      expect(held.size).toBe(isGivenBack ? 0 : 1);
      const next = { ...use, actionId: randomUUID() };
      expect(await store.askUses.use(parked, next)).toBe(isGivenBack);
    }
  });

  it("X3 keeps the first reading of each set of words for the whole task", async () => {
    const { ownerId, rootRunId } = await task();
    const readings = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store.askUses.open({ ownerId, rootRunId }, new Map([[1, { asks: [index] }]])),
      ),
    );
    const first = readings[0]?.readings.get(1);
    for (const open of readings) expect(open.readings).toEqual(new Map([[1, first]]));
    const later = await store.askUses.open({ ownerId, rootRunId }, new Map([[2, "more"]]));
    expect(later.readings).toEqual(
      new Map<number, unknown>([
        [1, first],
        [2, "more"],
      ]),
    );
  });

  it("X3 lets the owner cross out an ask until an effect uses it", async () => {
    const { ownerId, rootRunId } = await task();
    const crossOut = (key: string) => store.runs.crossOutAsk(ownerId, rootRunId, key);
    const use = { keys: ["w1:0-4:post"], runId: rootRunId, actionId: randomUUID() };
    expect(await crossOut("w1:0-4:post")).toBe("crossed_out");
    expect(await crossOut("w1:0-4:post")).toBe("crossed_out");
    expect(await store.askUses.use({ ownerId, rootRunId }, use)).toBe(false);
    const reply = { ...use, keys: ["w1:0-4:reply"] };
    expect(await store.askUses.use({ ownerId, rootRunId }, reply)).toBe(true);
    expect(await crossOut("w1:0-4:reply")).toBe("used");
    const { held, crossedOut } = await store.askUses.open({ ownerId, rootRunId }, none);
    expect([...held.keys()]).toEqual(["w1:0-4:reply"]);
    expect(crossedOut).toEqual(new Set(["w1:0-4:post"]));
    const events = await store.runs.events(ownerId, rootRunId, 0, 100);
    expect(events.filter(({ type }) => type === "intent")).toMatchObject([
      { payload: { state: "crossed_out", key: "w1:0-4:post", by: ownerId } },
    ]);
    await expect(store.runs.crossOutAsk(freshOwner(), rootRunId, "w1:0-4:post")).rejects.toThrow(
      "not found",
    );
  });
}
