import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openInProcess, siblingScript, collect, type InProcess } from "./support/in-process.ts";
import { describe as story } from "./support/crash-lab.ts";

describe("an approval that arrives around the park", () => {
  let lab: InProcess;
  beforeAll(async () => {
    lab = await openInProcess(inject("postgresUrl"), siblingScript, { readMs: () => Math.random() * 300 });
  });
  afterAll(async () => await lab.close());

  it("BR14 X2 wakes the run exactly once at every interleaving: 400 runs, none stuck", async () => {
    const { bron, deeds } = lab;
    const ownerId = "local";
    const decide = async (index: number) => {
      const run = await bron.runs.create(ownerId, { prompt: `letter ${index}` });
      const approval = await pendingApproval(run.id);
      // Before the sibling ends, while the park is written, and after it.
      await sleep(Math.random() * 200);
      const approved = index % 5 !== 0;
      await (approved ? bron.approvals.approve(ownerId, approval.id, approval.digest) : bron.approvals.deny(ownerId, approval.id, approval.digest, "not now"));
      const events = await collect(bron.runs.events(ownerId, run.id, { signal: AbortSignal.timeout(30_000) }));
      expect(events.at(-1), story(events)).toMatchObject({ type: "status", payload: { status: "completed" } });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, position) => position + 1));
      expect(deeds.letters.get(run.id) ?? 0).toBe(approved ? 1 : 0);
      expect(deeds.reads.get(run.id)).toBe(1);
      return events.filter(({ type, payload }) => type === "status" && payload.status === "awaiting_confirmation").length;
    };
    const pendingApproval = async (runId: string) => {
      for (;;) {
        const [approval] = await bron.approvals.list(ownerId, { runId, pendingOnly: true });
        if (approval) return approval;
        await sleep(2);
      }
    };
    const parks: number[] = [];
    for (let batch = 0; batch < 10; batch++) parks.push(...(await Promise.all(Array.from({ length: 40 }, (_, index) => decide(batch * 40 + index)))));
    // Both sides of the race were really seen.
    expect(parks.filter((count) => count === 0).length).toBeGreaterThan(20);
    expect(parks.filter((count) => count === 1).length).toBeGreaterThan(20);
  }, 120_000);

  it("X2 keeps the result of a sibling tool that runs while the approval comes", async () => {
    const slow = lab.bron;
    const run = await slow.runs.create("local", { prompt: "letter with a sibling" });
    let approved = false;
    const events = [];
    for await (const event of slow.runs.events("local", run.id)) {
      events.push(event);
      if (event.type === "approval" && event.payload.state === "requested" && !approved) {
        approved = true;
        await slow.approvals.approve("local", event.payload.approvalId, event.payload.digest);
      }
    }
    const ends = events.flatMap(({ type, payload }) => (type === "tool" && payload.phase === "end" ? [{ name: payload.name, outcome: payload.outcome }] : []));
    expect(ends.toSorted((a, b) => a.name.localeCompare(b.name))).toEqual([
      { name: "read_fact", outcome: "completed" },
      { name: "send_letter", outcome: "completed" },
    ]);
    expect(lab.deeds.reads.get(run.id)).toBe(1);
  }, 30_000);
});
