import { isFullSuite } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openHarness, type Harness } from "./support/crash-harness.ts";
import { judge } from "./support/judge.ts";

/** How many cases are in progress at once. */
const width = 4;
const leaseMs = isFullSuite ? 5_000 : 3_000;

/**
 * Timing decides how parallel results share appends, so only points that all of these runs passed
 * are used as fault points. The short suite uses `alwaysPassed`, for which one run is enough.
 */
const baselines = isFullSuite ? 5 : 1;
/** How many workers are sent to a point before the test fails because none of them passed it. */
const maxTries = 6;

const alwaysPassed = [
  "create",
  "claim",
  "decide",
  "model",
  "read_fact.execute",
  "count_once.execute",
  "send_letter.prepare",
  "send_letter.execute",
  "ring_bell.execute",
  "unsure_letter.reconcile",
  "artifact",
  "append(status+tool_set+step.start)",
  "append(message+step.end+tool.end+status;end)",
];

interface Point {
  readonly point: string;
  readonly occurrence: number;
}

describe("a worker killed at a fault point", () => {
  let harness: Harness;
  let points: Point[];
  let sometimes: number;

  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs });
    const first = await pointsOf(harness, "baseline");
    const passed = [
      first,
      ...(await Promise.all(
        Array.from({ length: baselines - 1 }, (_, index) => pointsOf(harness, `baseline-${index}`)),
      )),
    ];
    const times = new Map<string, number>();
    for (const key of passed.flatMap((one) => one.map(keyOf)))
      times.set(key, (times.get(key) ?? 0) + 1);
    points = first.filter((point) => times.get(keyOf(point)) === baselines);
    sometimes = times.size - points.length;
  }, 300_000);
  afterAll(async () => await harness.close());

  it(
    "X2 BR5 is taken over, and nothing happens twice or is silently lost",
    async () => {
      const sure = points.filter(
        ({ point, occurrence }) =>
          occurrence === 1 && alwaysPassed.includes(point.replace(/:(?:before|after)$/, "")),
      );
      // The short suite tests one side of every third point, alternating between before and after.
      const chosen = isFullSuite
        ? points
        : sure.filter((_, index) => index % 14 === 0 || index % 14 === 7);
      const names = new Set(points.map(({ point }) => point));
      for (const name of alwaysPassed)
        for (const side of ["before", "after"]) expect(names).toContain(`${name}:${side}`);
      expect(names.size).toBeGreaterThanOrEqual(40);
      expect(chosen.length).toBeGreaterThanOrEqual((isFullSuite ? 2 : 0.25) * alwaysPassed.length);
      const standby = [
        await harness.start({ work: "sweep" }),
        ...(isFullSuite ? [await harness.start({ work: "sweep" })] : []),
      ];
      const takeovers: number[] = [];
      const queue = chosen.map((point, index) => ({ ...point, index }));
      const failures: string[] = [];
      const lanes = Array.from({ length: width }, async () => {
        for (let next = queue.shift(); next; next = queue.shift()) {
          const { point, occurrence } = next;
          await killAt(harness, next).then(
            (times) => takeovers.push(...times),
            (error: unknown) =>
              failures.push(
                `${point} #${occurrence}: ${error instanceof Error ? error.message : String(error)}`,
              ),
          );
        }
      });
      await Promise.all(lanes);
      expect(failures.join("\n\n")).toBe("");
      console.log(
        `${chosen.length} kills at ${names.size} points, ${sometimes} passed only by some left out; takeover p50 ${percentile(takeovers, 0.5)} ms, max ${Math.max(...takeovers)} ms at a lease of ${leaseMs} ms`,
      );
      for (const worker of standby)
        expect(worker.lines.filter((line) => "problem" in line)).toEqual([]);
    },
    isFullSuite ? 1_200_000 : 300_000,
  );
});

describe.concurrent("a worker killed around a cancel", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(inject("postgresUrl"), { leaseMs: 4_000 });
  });
  afterAll(async () => await harness.close());

  const points = [
    "cancel:before",
    "append(tool.end+status;end):after",
    "cancel:after",
    "append(tool.end+status;end):before",
  ];
  it.each(isFullSuite ? points : points.slice(0, 2))(
    "X7 ends as canceled, or as if no cancel had been requested: %s",
    async (point) => {
      const ownerId = `stopped at ${point}`;
      const worker = await harness.start({
        work: "own",
        // The cancel must arrive while the tool works, also on a busy machine.
        slowMs: 60_000,
        create: { ownerId, prompt: "slow" },
        cancelInTool: true,
        fault: { point, occurrence: 1, how: "kill" },
      });
      expect(await worker.ended).toMatchObject({ signal: "SIGKILL" });
      await harness.start({ slowMs: 10 });
      const [created] = await harness.runtime.clientFor(ownerId).list("GET /api/runs");
      const run = await harness.until(
        ownerId,
        created!.id,
        ({ status }) => status === "canceled" || status === "completed",
      );
      expect(run.status).toBe(point === "cancel:before" ? "completed" : "canceled");
      const events = await harness.events(ownerId, run.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    },
    300_000,
  );
});

function keyOf({ point, occurrence }: Point): string {
  return `${point} #${occurrence}`;
}

/** Lists every point that a worker passes in an undisturbed run. */
async function pointsOf(harness: Harness, ownerId: string): Promise<Point[]> {
  const worker = await harness.start({
    work: "own",
    printHits: true,
    approve: true,
    create: { ownerId, prompt: "everything" },
  });
  const runId = (await worker.waitForLine("created")) as string;
  const run = await harness.until(ownerId, runId, ({ status }) => status === "completed");
  judge(run, await harness.events(ownerId, runId), harness.simulator);
  for (const tool of ["count_once", "send_letter", "ring_bell", "unsure_letter"])
    expect(harness.simulator.executionsOf(runId, tool)).toHaveLength(1);
  // The run may have ended before its worker passed the last point.
  worker.process.kill("SIGTERM");
  await worker.ended;
  return worker.lines.flatMap((line) =>
    typeof line["hit"] === "string"
      ? [{ point: line["hit"], occurrence: line["occurrence"] as number }]
      : [],
  );
}

/**
 * Kills a worker at the point and lets the standby finish the run. Returns how long it took until
 * another worker wrote to the log. Timing decides how parallel results share appends, so a worker
 * that did not pass the point is checked too, and then another worker is sent.
 */
async function killAt(
  harness: Harness,
  { point, occurrence, index }: Point & { index: number },
  tries = maxTries,
): Promise<number[]> {
  const ownerId = `owner-${index}-${tries}`;
  const client = harness.runtime.clientFor(ownerId);
  const worker = await harness.start({
    work: "own",
    approve: true,
    create: { ownerId, prompt: "everything" },
    fault: { point, occurrence, how: "kill" },
  });
  const completed = async () => {
    const runId = await worker.waitForLine("created");
    if (typeof runId === "string")
      await harness.until(ownerId, runId, ({ status }) => status === "completed", 120_000);
    else await new Promise(() => undefined);
    // The last points come after the run has ended, at the latest while the worker shuts down.
    worker.process.kill("SIGTERM");
    return await worker.ended;
  };
  const { at, signal } = await Promise.race([worker.ended, completed()]);
  if (signal === null) {
    const [run] = await client.list("GET /api/runs");
    if (run) judge(run, await harness.events(ownerId, run.id), harness.simulator);
    if (tries === 1) throw new Error(`None of ${maxTries} workers passed the point`);
    return await killAt(harness, { point, occurrence, index }, tries - 1);
  }
  expect(signal).toBe("SIGKILL");
  const [created] = await client.list("GET /api/runs");
  // The worker was killed before the run was stored, so nothing was promised to the owner.
  if (!created) {
    expect(point).toBe("create:before");
    return [];
  }
  const { id, lastSeq, status } = created;
  const underWay = status === "queued" || status === "planning" || status === "executing";
  const takeover = underWay
    ? harness
        .until(ownerId, id, (run) => run.lastSeq > lastSeq, 120_000)
        .then(() => [Date.now() - at])
    : Promise.resolve([]);
  const run = await harness.approveAll(ownerId, id, 120_000);
  judge(run, await harness.events(ownerId, id), harness.simulator);
  return await takeover;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
