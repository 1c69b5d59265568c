import { isTerminal, type RunEvent } from "@bron/protocol";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { openLab, describe as story, type Lab } from "./support/crash-lab.ts";

/** Marks of a beginning. */
function begins({ type, payload }: RunEvent): boolean {
  return (
    (type === "step" && payload.phase === "start") ||
    (type === "tool" && payload.phase === "start") ||
    (type === "effect" && payload.state === "attempting")
  );
}

const workers = 3;
const prompts = ["slow", "letter", "reads", "sibling", "everything"];

describe("a stop of everything", () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await openLab(inject("postgresUrl"), { chunkDelayMs: 5 });
    await Promise.all(Array.from({ length: workers }, () => lab.start({ slowMs: 60 })));
  });
  afterAll(async () => await lab.close());

  /** Approves whatever comes up, as fast as it can, until told to end. */
  const approving = (ownerId: string, signal: AbortSignal) =>
    (async () => {
      for (; !signal.aborted; await sleep(10))
        for (const { id, digest } of await lab.bron.approvals.list(ownerId, { pendingOnly: true }))
          await lab.bron.approvals.approve(ownerId, id, digest).catch(() => undefined);
    })();

  it.each([5, 15, 25])(
    "X7 is a fence for 50 runs in several workers: nothing begins after it, %i of them begun",
    async (begun) => {
      const { bron, world } = lab;
      const ownerId = `stopped-${begun}`;
      const ending = new AbortController();
      const approver = approving(ownerId, ending.signal);
      onTestFinished(async () => {
        ending.abort();
        await approver;
      });
      const runs = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          bron.runs.create(ownerId, { prompt: `${prompts[index % prompts.length]} ${index}` }),
        ),
      );
      const other = await bron.runs.create(`other-${begun}`, { prompt: "reads" });
      await expect
        .poll(
          async () =>
            (await bron.runs.list(ownerId, { limit: 100 })).filter(
              ({ startedAt }) => startedAt !== null,
            ).length,
          { timeout: 30_000, interval: 5 },
        )
        .toBeGreaterThanOrEqual(begun);

      const stopped = await bron.runs.cancelAll(ownerId, "enough");
      expect(stopped.length).toBeGreaterThan(0);
      for (const { id } of runs) {
        const { status } = await lab.until(ownerId, id, (run) => isTerminal(run.status));
        const events = await lab.events(ownerId, id);
        expect(status, story(events)).toBe(stopped.includes(id) ? "canceled" : "completed");
        const at = events.findIndex(({ type }) => type === "cancel");
        expect(at >= 0, story(events)).toBe(stopped.includes(id));
        if (at >= 0) expect(events.slice(at).filter(begins), story(events)).toEqual([]);
        // Out there nothing happened that has no mark.
        const marks = events.filter((event) => begins(event) && event.type !== "step").length;
        expect(
          world.deeds.filter(({ runId }) => runId === id).length,
          story(events),
        ).toBeLessThanOrEqual(marks);
      }
      ending.abort();
      await approver;
      expect(await bron.approvals.list(ownerId, { pendingOnly: true })).toEqual([]);
      await lab.until(`other-${begun}`, other.id, ({ status }) => status === "completed");
      expect(
        (await bron.audit.page(ownerId, { what: "owner.stopped" })).map(({ details }) => details),
      ).toEqual([{ runs: stopped.length, reason: "enough" }]);
      expect(await bron.runs.cancelAll(ownerId)).toEqual([]);
    },
    300_000,
  );
});
