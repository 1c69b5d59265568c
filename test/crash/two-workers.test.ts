import { setTimeout as sleep } from "node:timers/promises";
import { DBOSClient } from "@dbos-inc/dbos-sdk";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import {
  openHarness,
  formatTimeline,
  type Harness,
  type HarnessWorker,
} from "./support/crash-harness.ts";
import { judge } from "./support/judge.ts";

const leaseMs = 8_000;

describe("two workers and one run", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs });
  });
  afterAll(async () => await harness.close());

  /**
   * Kills the worker when the test finishes, because a leftover worker would take the runs of the
   * next test.
   */
  const start = async (orders: Parameters<Harness["start"]>[0] = {}): Promise<HarnessWorker> => {
    const worker = await harness.start(orders);
    onTestFinished(() => worker.kill());
    return worker;
  };
  const claimsOf = (lines: readonly Record<string, unknown>[], runId: string) =>
    lines.filter((line) => line["claimed"] === runId).length;

  it("X2 advance it once when the same segment is started many times, in one process and in two", async () => {
    const [first, second] = [await start({ slowMs: 150 }), await start({ slowMs: 150 })];
    const client = await DBOSClient.create({
      systemDatabaseUrl: harness.databaseUrl,
      applicationName: "bron",
      logger: { info() {}, debug() {}, warn() {}, error() {} },
    });
    const run = await harness.runtime
      .clientFor("twice")
      .call("POST /api/runs", { body: { prompt: "slow" } });
    const enqueue = (index: number) =>
      client.enqueue(
        {
          workflowName: "bron-segment",
          queueName: "bron-segments",
          workflowID: `${run.id}:again-${index}`,
          appVersion: "bron-1",
        },
        run.id,
      );
    for (let index = 0; index < 12; index++) {
      await enqueue(index);
      await sleep(30);
    }
    const endedRun = await harness.approveAll("twice", run.id);
    const events = await harness.events("twice", run.id);
    judge(endedRun, events, harness.simulator);
    expect(harness.simulator.executionsOf(run.id, "slow_read")).toHaveLength(2);
    expect(
      claimsOf(first.lines, run.id) + claimsOf(second.lines, run.id),
      formatTimeline(events),
    ).toBe(1);
    await client.destroy();
  }, 300_000);

  it("X2 hand it over when the first is alive but was frozen for longer than its lease", async () => {
    const point = "slow_read.execute:before";
    const first = await start({
      work: "own",
      slowMs: 400,
      create: { ownerId: "alive", prompt: "slow" },
      fault: { point, occurrence: 1, how: "freeze" },
    });
    const runId = (await first.waitForLine("created")) as string;
    expect(await first.waitForLine("faulted")).toBe(point);
    const second = await start({ slowMs: 50 });
    const endedRun = await harness.until("alive", runId, ({ status }) => status === "completed");
    const reads = harness.simulator.executionsOf(runId, "slow_read").length;
    first.thaw();
    // The first worker continues where it was frozen, finds its lease gone, and exits cleanly.
    await expect
      .poll(() => harness.simulator.executionsOf(runId, "slow_read").length)
      .toBe(reads + 1);
    first.process.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ code: 0 });
    judge(endedRun, await harness.events("alive", runId), harness.simulator);
    expect(claimsOf(second.lines, runId)).toBe(1);
    // The first worker noticed the loss, released the run, and did not claim it again.
    expect(claimsOf(first.lines, runId)).toBe(1);
  }, 300_000);

  it("BR14 X2 wake it when the worker died between the park and the end of its segment, and the approval arrived in between", async () => {
    const client = harness.runtime.clientFor("parking");
    const point = "append(effect.awaiting_confirmation+approval.pending+status;park):after";
    const first = await start({
      work: "own",
      create: { ownerId: "parking", prompt: "letter" },
      fault: { point, occurrence: 1, how: "freeze" },
    });
    const runId = (await first.waitForLine("created")) as string;
    await harness.until("parking", runId, ({ status }) => status === "awaiting_confirmation");
    expect(await first.waitForLine("faulted")).toBe(point);
    const [approval] = await client.list("GET /api/approvals", {
      runId,
      pending: "true",
    });
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    await first.kill();
    await start();
    const endedRun = await harness.until("parking", runId, ({ status }) => status === "completed");
    judge(endedRun, await harness.events("parking", runId), harness.simulator);
    expect(harness.simulator.executionsOf(runId, "send_letter")).toHaveLength(1);
  }, 300_000);

  it("X2 never repeat an effect when a frozen worker wakes after the takeover and its request still leaves", async () => {
    await start();
    const wakeAfterTakeover = async ([prompt, tool]: readonly [string, string]) => {
      const ownerId = `frozen-${tool}`;
      const first = await start({
        work: "own",
        approve: true,
        create: { ownerId, prompt },
        fault: { point: `${tool}.execute:before`, occurrence: 1, how: "freeze" },
      });
      const runId = (await first.waitForLine("created")) as string;
      await first.waitForLine("faulted");
      const endedRun = await harness.until(ownerId, runId, ({ status }) => status === "completed");
      const before = harness.simulator.executionsOf(runId, tool).length;
      const requestsBefore = harness.simulator.requestsOf(runId, tool).length;
      first.thaw();
      // The frozen request leaves at last, and no other request follows it.
      await expect
        .poll(() => harness.simulator.requestsOf(runId, tool).length)
        .toBe(requestsBefore + 1);
      first.process.kill("SIGTERM");
      expect(await first.ended).toMatchObject({ code: 0 });
      const executions = harness.simulator.executionsOf(runId, tool);
      const events = await harness.events(ownerId, runId);
      judge(endedRun, events, harness.simulator);
      // The letter's handle was burned before it was sent again. The bell was recorded as unknown,
      // and then it rang.
      if (tool === "send_letter")
        expect({ before, after: executions.length }).toEqual({ before: 1, after: 1 });
      else {
        expect({ before, after: executions.length }).toEqual({ before: 0, after: 1 });
        expect(
          events.some(({ type, payload }) => type === "ui" && payload.kind === "UnknownEffectCard"),
          formatTimeline(events),
        ).toBe(true);
        expect(
          (
            await harness.runtime
              .clientFor(ownerId)
              .call("GET /api/runs/:id/effects", { params: { id: runId } })
          ).effects,
        ).toMatchObject([{ state: "unknown" }]);
      }
    };
    await Promise.all(
      (
        [
          ["letter", "send_letter"],
          ["bell", "ring_bell"],
        ] as const
      ).map(wakeAfterTakeover),
    );
  }, 300_000);

  it("BR5 respect the limits per worker, per owner and in total, and still finish every run", async () => {
    const limits = { perWorker: 3, perOwner: 2, inAll: 4 };
    await Promise.all([start({ slowMs: 60, limits }), start({ slowMs: 60, limits })]);
    const owners = ["ann", "ben", "cem"];
    const runs = await Promise.all(
      owners.flatMap((ownerId) =>
        Array.from({ length: 5 }, () =>
          harness.runtime.clientFor(ownerId).call("POST /api/runs", { body: { prompt: "slow" } }),
        ),
      ),
    );
    const peak = { inAll: 0, perOwner: 0 };
    const watching = new AbortController();
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    const watch = (async () => {
      while (!watching.signal.aborted) {
        const { rows } = await client.query<{ runs: string }>(
          "select count(*) as runs from runs where lease_owner is not null and lease_until >= clock_timestamp() group by owner_id",
        );
        const held = rows.map((row) => Number(row.runs));
        peak.inAll = Math.max(
          peak.inAll,
          held.reduce((sum, count) => sum + count, 0),
        );
        peak.perOwner = Math.max(peak.perOwner, ...held);
        await sleep(5);
      }
    })();
    await Promise.all(
      runs.map((run) =>
        harness.until(run.ownerId, run.id, ({ status }) => status === "completed", 120_000),
      ),
    );
    watching.abort();
    await watch;
    await client.end();
    expect(peak.inAll).toBeLessThanOrEqual(4);
    expect(peak.perOwner).toBeLessThanOrEqual(2);
    expect(peak.inAll).toBeGreaterThan(1);
  }, 300_000);

  it("BR5 start a delayed run when it is due, not before", async () => {
    await start();
    const created = Date.now();
    const run = await harness.runtime
      .clientFor("later")
      .call("POST /api/runs", { body: { prompt: "reads", delayMs: 2_000 } });
    const endedRun = await harness.until("later", run.id, ({ status }) => status === "completed");
    expect(Date.parse(endedRun.startedAt!) - created).toBeGreaterThanOrEqual(1_900);
  }, 300_000);
});
