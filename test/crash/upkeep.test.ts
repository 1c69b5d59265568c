import { isFullSuite } from "@bron/testing";
import { reportOutcomeName, isTerminal, type RunEvent } from "@bron/protocol";
import { describe, expect, inject, it } from "vitest";
import {
  formatTimeline,
  openHarness,
  type Harness,
  type HarnessWorker,
} from "./support/crash-harness.ts";
import { judge } from "./support/judge.ts";

const leaseMs = 3_000;
const ownerId = "local";

async function withHarness(work: (harness: Harness) => Promise<void>): Promise<void> {
  const harness = await openHarness(inject("postgresUrl"), { leaseMs });
  try {
    await work(harness);
  } finally {
    await harness.close();
  }
}

async function expectKilled(worker: HarnessWorker): Promise<void> {
  expect(await worker.ended).toMatchObject({ signal: "SIGKILL" });
}

async function onlyRun(harness: Harness): Promise<string> {
  const [run, ...more] = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
  expect(more).toEqual([]);
  return run!.id;
}

/** Checks a run whose effect was denied or whose approval expired. */
async function expectNotAllowed(
  harness: Harness,
  runId: string,
  state: "rejected" | "expired",
): Promise<void> {
  const run = await harness.until(ownerId, runId, ({ status }) => isTerminal(status));
  const events = await harness.events(ownerId, runId);
  expect(run.status, formatTimeline(events)).toBe("completed");
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter(isToolEnd), formatTimeline(events)).toMatchObject([
    { payload: { outcome: "rejected" } },
  ]);
  expect(
    (
      await harness.runtime
        .clientFor(ownerId)
        .call("GET /api/runs/:id/effects", { params: { id: runId } })
    ).effects,
  ).toMatchObject([{ state }]);
  expect(harness.simulator.executionsOf(runId, "send_letter")).toEqual([]);
}

function isToolEnd({ type, payload }: RunEvent): boolean {
  return type === "tool" && payload.phase === "end" && payload.name !== reportOutcomeName;
}

const secondCrashes = [
  ["read_fact.execute:before", "claim:after"],
  ["model:after", "model:before"],
  ["send_letter.execute:before", "send_letter.reconcile:after"],
  ["send_letter.execute:after", "send_letter.reconcile:before"],
  ["send_letter.execute:after", "send_letter.reconcile:after"],
  ["ring_bell.execute:after", "claim:after"],
] as const;

describe.concurrent("a second crash during recovery from the first", () => {
  it.each(isFullSuite ? secondCrashes : [secondCrashes[3]])(
    "X2 duplicates nothing and loses nothing: %s, then %s",
    async (first, second) => {
      await withHarness(async (harness) => {
        await expectKilled(
          await harness.start({
            work: "own",
            approve: true,
            create: { ownerId, prompt: "everything" },
            fault: { point: first, occurrence: 1, how: "kill" },
          }),
        );
        const runId = await onlyRun(harness);
        const endedRun = harness.approveAll(ownerId, runId, 120_000);
        await expectKilled(
          await harness.start({ fault: { point: second, occurrence: 1, how: "kill" } }),
        );
        await harness.start();
        judge(await endedRun, await harness.events(ownerId, runId), harness.simulator);
      });
    },
    300_000,
  );
});

/** The short suite tests only one of the two sides of a point. */
const sides = (name: string, short: "before" | "after") =>
  (isFullSuite ? ["before", "after"] : [short]).map((side) => `${name}:${side}`);

describe.concurrent("a worker killed during its upkeep", () => {
  it.each(sides("renew", "before"))(
    "X2 is taken over: %s",
    async (point) => {
      await withHarness(async (harness) => {
        await expectKilled(
          await harness.start({
            work: "own",
            slowMs: 800,
            create: { ownerId, prompt: "slow" },
            fault: { point, occurrence: 2, how: "kill" },
          }),
        );
        await harness.start({ slowMs: 10 });
        const runId = await onlyRun(harness);
        judge(
          await harness.until(ownerId, runId, ({ status }) => isTerminal(status)),
          await harness.events(ownerId, runId),
          harness.simulator,
        );
      });
    },
    300_000,
  );

  it.each(sides("release", "before"))(
    "X2 BR5 is taken over when it is killed while it shuts down: %s",
    async (point) => {
      await withHarness(async (harness) => {
        // On a busy machine a short lease may be lost before there is anything to release.
        const worker = await harness.start({
          work: "own",
          leaseMs: 6_000,
          slowMs: 3_000,
          create: { ownerId, prompt: "slow" },
          fault: { point, occurrence: 1, how: "kill" },
        });
        const runId = (await worker.waitForLine("created")) as string;
        await harness.until(ownerId, runId, ({ status }) => status === "executing");
        worker.process.kill("SIGTERM");
        await expectKilled(worker);
        await harness.start({ slowMs: 10 });
        judge(
          await harness.until(ownerId, runId, ({ status }) => isTerminal(status)),
          await harness.events(ownerId, runId),
          harness.simulator,
        );
      });
    },
    300_000,
  );

  it.each(sides("expire", "after"))(
    "BR14 expires an approval once when it is killed during the expiry: %s",
    async (point) => {
      await withHarness(async (harness) => {
        const orders = { approvalTtlMs: 500 };
        const first = await harness.start({
          ...orders,
          work: "own",
          create: { ownerId, prompt: "letter" },
        });
        const runId = (await first.waitForLine("created")) as string;
        await harness.until(ownerId, runId, ({ status }) => status === "awaiting_confirmation");
        await first.kill();
        await expectKilled(
          await harness.start({ ...orders, fault: { point, occurrence: 1, how: "kill" } }),
        );
        await harness.start(orders);
        await expectNotAllowed(harness, runId, "expired");
        expect(
          await harness.runtime.clientFor(ownerId).list("GET /api/approvals", { runId }),
        ).toMatchObject([{ state: "expired" }]);
      });
    },
    300_000,
  );

  it.each(sides("decide", "after"))(
    "BR14 records a denial or never received it when it is killed during the decision: %s",
    async (point) => {
      await withHarness(async (harness) => {
        const client = harness.runtime.clientFor(ownerId);
        await expectKilled(
          await harness.start({
            work: "own",
            deny: true,
            create: { ownerId, prompt: "letter" },
            fault: { point, occurrence: 1, how: "kill" },
          }),
        );
        const runId = await onlyRun(harness);
        const [approval] = await client.list("GET /api/approvals", { runId });
        expect(approval).toMatchObject({ state: point === "decide:before" ? "pending" : "denied" });
        if (point === "decide:before")
          await client.call("POST /api/approvals/:id/deny", {
            params: { id: approval!.id },
            body: { digest: approval!.digest, reason: "no" },
          });
        await harness.start();
        await expectNotAllowed(harness, runId, "rejected");
      });
    },
    300_000,
  );
});
