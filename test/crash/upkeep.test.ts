import { isTerminal, type RunEvent } from "@bron/protocol";
import { describe, expect, inject, it } from "vitest";
import { describe as story, openLab, type Lab, type LabWorker } from "./support/crash-lab.ts";
import { judge } from "./support/judge.ts";

const full = process.env["BRON_CRASH"] === "full";
const leaseMs = 3_000;
const ownerId = "local";

async function withLab(work: (lab: Lab) => Promise<void>): Promise<void> {
  const lab = await openLab(inject("postgresUrl"), { leaseMs });
  try {
    await work(lab);
  } finally {
    await lab.close();
  }
}

async function expectKilled(worker: LabWorker): Promise<void> {
  expect(await worker.ended).toMatchObject({ signal: "SIGKILL" });
}

async function onlyRun(lab: Lab): Promise<string> {
  const [run, ...more] = await lab.bron.runs.list(ownerId);
  expect(more).toEqual([]);
  return run!.id;
}

/** Of an effect that a person did not allow. */
async function expectRefused(
  lab: Lab,
  runId: string,
  state: "rejected" | "expired",
): Promise<void> {
  const run = await lab.until(ownerId, runId, ({ status }) => isTerminal(status));
  const events = await lab.events(ownerId, runId);
  expect(run.status, story(events)).toBe("completed");
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(isToolEnd), story(events)).toMatchObject([
    { payload: { outcome: "rejected" } },
  ]);
  expect(await lab.bron.runs.effects(ownerId, runId)).toMatchObject([{ state }]);
  expect(lab.world.deedsOf(runId, "send_letter")).toEqual([]);
}

function isToolEnd({ type, payload }: RunEvent): boolean {
  return type === "tool" && payload.phase === "end";
}

const secondCrashes = [
  ["read_fact.execute:before", "claim:after"],
  ["model:after", "model:before"],
  ["send_letter.execute:before", "send_letter.reconcile:after"],
  ["send_letter.execute:after", "send_letter.reconcile:before"],
  ["send_letter.execute:after", "send_letter.reconcile:after"],
  ["ring_bell.execute:after", "claim:after"],
] as const;

describe.concurrent("a second crash while the first is being recovered from", () => {
  it.each(full ? secondCrashes : secondCrashes.filter((_, index) => index % 2 === 0))(
    "X2 doubles nothing and loses nothing: %s, then %s",
    async (first, second) => {
      await withLab(async (lab) => {
        await expectKilled(
          await lab.start({
            work: "own",
            approve: true,
            create: { ownerId, prompt: "everything" },
            fault: { point: first, occurrence: 1, how: "kill" },
          }),
        );
        const runId = await onlyRun(lab);
        const over = lab.approveAll(ownerId, runId, 120_000);
        await expectKilled(
          await lab.start({ fault: { point: second, occurrence: 1, how: "kill" } }),
        );
        await lab.start();
        judge(await over, await lab.events(ownerId, runId), lab.world);
      });
    },
    300_000,
  );
});

/** Of the two sides of a point the short form takes one. */
const sides = (name: string, short: "before" | "after") =>
  (full ? ["before", "after"] : [short]).map((side) => `${name}:${side}`);

describe.concurrent("a worker killed beside its runs", () => {
  it.each(sides("renew", "before"))(
    "X2 is taken over: %s",
    async (point) => {
      await withLab(async (lab) => {
        await expectKilled(
          await lab.start({
            work: "own",
            slowMs: 800,
            create: { ownerId, prompt: "slow" },
            fault: { point, occurrence: 2, how: "kill" },
          }),
        );
        await lab.start({ slowMs: 10 });
        const runId = await onlyRun(lab);
        judge(
          await lab.until(ownerId, runId, ({ status }) => isTerminal(status)),
          await lab.events(ownerId, runId),
          lab.world,
        );
      });
    },
    300_000,
  );

  it.each(sides("release", "before"))(
    "X2 BR5 while it shuts down: %s",
    async (point) => {
      await withLab(async (lab) => {
        // On a busy machine a short lease may be lost before there is anything to give back.
        const worker = await lab.start({
          work: "own",
          leaseMs: 6_000,
          slowMs: 3_000,
          create: { ownerId, prompt: "slow" },
          fault: { point, occurrence: 1, how: "kill" },
        });
        const runId = (await worker.hears("created")) as string;
        await lab.until(ownerId, runId, ({ status }) => status === "executing");
        worker.process.kill("SIGTERM");
        await expectKilled(worker);
        await lab.start({ slowMs: 10 });
        judge(
          await lab.until(ownerId, runId, ({ status }) => isTerminal(status)),
          await lab.events(ownerId, runId),
          lab.world,
        );
      });
    },
    300_000,
  );

  it.each(sides("expire", "after"))(
    "BR14 while an approval expires, which is then expired once: %s",
    async (point) => {
      await withLab(async (lab) => {
        const orders = { approvalTtlMs: 500 };
        const first = await lab.start({
          ...orders,
          work: "own",
          create: { ownerId, prompt: "letter" },
        });
        const runId = (await first.hears("created")) as string;
        await lab.until(ownerId, runId, ({ status }) => status === "awaiting_confirmation");
        await first.kill();
        await expectKilled(
          await lab.start({ ...orders, fault: { point, occurrence: 1, how: "kill" } }),
        );
        await lab.start(orders);
        await expectRefused(lab, runId, "expired");
        expect(await lab.bron.approvals.list(ownerId, { runId })).toMatchObject([
          { state: "expired" },
        ]);
      });
    },
    300_000,
  );

  it.each(sides("decide", "after"))(
    "BR14 while a person says no, which then stands or was never said: %s",
    async (point) => {
      await withLab(async (lab) => {
        await expectKilled(
          await lab.start({
            work: "own",
            deny: true,
            create: { ownerId, prompt: "letter" },
            fault: { point, occurrence: 1, how: "kill" },
          }),
        );
        const runId = await onlyRun(lab);
        const [approval] = await lab.bron.approvals.list(ownerId, { runId });
        expect(approval).toMatchObject({ state: point === "decide:before" ? "pending" : "denied" });
        if (point === "decide:before")
          await lab.bron.approvals.deny(ownerId, approval!.id, approval!.digest, "no");
        await lab.start();
        await expectRefused(lab, runId, "rejected");
      });
    },
    300_000,
  );
});
