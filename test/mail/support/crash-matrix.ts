import { isFullSuite } from "@bron/testing";
import type { RunEvent, RunView } from "@bron/protocol";
import type { FaultRule, Simulator } from "@bron/simulator";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { CrashTask } from "./crash-scripts.ts";
import { laneOwner, openMailCrashLane, type MailCrashLane } from "./mail-crash-lane.ts";

/** How many workers are sent to a point before the test fails because none of them passed it. */
const maxTries = 3;

export interface JudgedCase {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly simulator: Simulator;
  readonly subject: string;
}

export interface CrashMatrix {
  readonly task: CrashTask;
  readonly title: string;
  /** The number of lanes that run in parallel. Each lane runs its cases one after another. */
  readonly lanes?: number;
  /** How every prompt starts. The case follows. */
  readonly asking?: string;
  /** The methods of Google or Slack that fail, once each. */
  readonly methods: readonly string[];
  readonly modes: Readonly<
    Record<string, { readonly fault?: FaultRule; readonly at?: readonly string[] }>
  >;
  /** Points that a worker certainly passes in a mode, and is killed at. */
  readonly passed: Readonly<Record<string, readonly string[]>>;
  /** Points that timing or earlier cases decide about. A case is left out if no worker passes its point. */
  readonly unsure?: RegExp;
  /** The points that the short suite tests in each mode. */
  readonly short: Readonly<Record<string, RegExp>>;
  /** The points at which a worker is also frozen, in the full and in the short suite. */
  readonly frozen: { readonly full: RegExp; readonly short: RegExp };
  /** The first point at which a mode can differ from the plain one. */
  readonly divergesAt: string;
  /**
   * Throws unless the report of the run agrees with what happened. Returns the reported outcome.
   */
  judge(one: JudgedCase): Promise<string> | string;
  /** The outcome that an undisturbed run reports. A function if it depends on the mode. */
  readonly success: string | ((mode: string) => string);
}

interface Point {
  readonly point: string;
  readonly occurrence: number;
}

interface Case extends Point {
  readonly mode: string;
  readonly how: "kill" | "freeze";
}

/** Sends SIGKILL and SIGSTOP at every point that a worker passes, in every mode. */
export function describeCrashMatrix(matrix: CrashMatrix): void {
  const { task, title, lanes: lanesInParallel = 3, modes, short } = matrix;
  describe(title, () => {
    let lanes: MailCrashLane[];
    beforeAll(async () => {
      lanes = await Promise.all(
        Array.from({ length: lanesInParallel }, () =>
          openMailCrashLane(inject("postgresUrl"), task),
        ),
      );
    }, 60_000);
    afterAll(async () => await Promise.all(lanes.map((lane) => lane.close())));

    it.each(isFullSuite ? Object.keys(modes) : Object.keys(short))(
      "X1 X2 BR18 acts once, or reports that it did not or cannot know, at every point: %s",
      async (mode) => {
        const [first] = lanes;
        if (!first) throw new Error("No lane was opened");
        const points = await pointsOf(matrix, first, mode);
        const names = new Set(points.map(({ point }) => point));
        for (const name of matrix.passed[mode] ?? [])
          for (const side of ["before", "after"]) expect(names).toContain(`${name}:${side}`);
        const cases = chooseCases(matrix, mode, points);
        const tally = new Map<string, number>();
        const failures: string[] = [];
        const startedAt = performance.now();
        await inLanes(lanes, cases, async (lane, one, index) => {
          await runCase(matrix, lane, one, `${mode}, case ${index}`).then(
            (said) => tally.set(said, (tally.get(said) ?? 0) + 1),
            (error: unknown) => {
              const failure = `${one.how} at ${one.point} #${one.occurrence}: ${error instanceof Error ? error.message : String(error)}`;
              // Printed at once, because the whole mode can take a quarter of an hour.
              console.log(failure);
              failures.push(failure);
            },
          );
        });
        console.log(
          `${title}, ${mode}: ${cases.length} cases at ${names.size} points in ${Math.round((performance.now() - startedAt) / 1000)} s: ${[...tally].map(([said, count]) => `${count} ${said}`).join(", ")}`,
        );
        expect(failures.join("\n\n")).toBe("");
      },
      isFullSuite ? 1_200_000 : 180_000,
    );
  });
}

/** Spreads the work over the lanes. Each lane takes one item after another. */
async function inLanes<T>(
  lanes: readonly MailCrashLane[],
  work: readonly T[],
  act: (lane: MailCrashLane, one: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = work.map((one, index) => ({ one, index }));
  await Promise.all(
    lanes.map(async (lane) => {
      for (let next = queue.shift(); next; next = queue.shift())
        await act(lane, next.one, next.index);
    }),
  );
}

/**
 * The full suite tests all points. The short one tests those that change something outside or in
 * the ledger.
 */
function chooseCases(
  { divergesAt, frozen: freezing, short }: CrashMatrix,
  mode: string,
  points: readonly Point[],
): Case[] {
  // Before the first call to Google, no mode differs from the plain one.
  const firstIndex = mode === "plain" ? 0 : points.findIndex(({ point }) => point === divergesAt);
  const killed = points.slice(firstIndex).map((point): Case => ({ mode, ...point, how: "kill" }));
  const frozen =
    mode === "plain"
      ? points
          .filter(({ point }) => freezing.full.test(point))
          .map((point): Case => ({ mode, ...point, how: "freeze" }))
      : [];
  if (isFullSuite) return [...killed, ...frozen];
  return [
    ...killed.filter(({ point }) => short[mode]?.test(point) === true),
    ...frozen.filter(({ point }) => freezing.short.test(point)),
  ];
}

/** Lists every point that a worker passes in a run that it finishes itself. */
async function pointsOf(matrix: CrashMatrix, lane: MailCrashLane, mode: string): Promise<Point[]> {
  breakGoogle(matrix, lane, mode);
  const subject = `${matrix.asking ?? ""}baseline of ${mode}`;
  const worker = await lane.start({
    printHits: true,
    create: { ownerId: laneOwner, prompt: subject },
  });
  const runId = (await worker.waitForLine("created")) as string;
  const run = await lane.decideUntilEnded(runId, worker);
  await lane.waitForGoogle();
  expect(
    await matrix.judge({
      run,
      events: await lane.events(runId),
      simulator: lane.simulator,
      subject,
    }),
    mode,
  ).toBe(typeof matrix.success === "string" ? matrix.success : matrix.success(mode));
  await worker.kill();
  return worker.lines.flatMap((line) =>
    typeof line["hit"] === "string"
      ? [{ point: line["hit"], occurrence: line["occurrence"] as number }]
      : [],
  );
}

function breakGoogle(
  { modes, methods }: CrashMatrix,
  { simulator }: MailCrashLane,
  mode: string,
): void {
  simulator.faults.clear();
  const { fault, at = methods } = modes[mode] ?? {};
  if (fault) for (const method of at) simulator.faults.add({ ...fault, method });
}

async function runCase(
  matrix: CrashMatrix,
  lane: MailCrashLane,
  one: Case,
  name: string,
  tries = maxTries,
): Promise<string> {
  const client = lane.runtime.clientFor(laneOwner);
  const subject = `${matrix.asking ?? ""}${name}, try ${tries}`;
  breakGoogle(matrix, lane, one.mode);
  const { point, occurrence, how } = one;
  const worker = await lane.start({
    create: { ownerId: laneOwner, prompt: subject },
    fault: { point, occurrence, how },
  });
  try {
    const runId =
      (await worker.waitForLine("created")) ??
      (await client.list("GET /api/runs")).find(({ prompt }) => prompt === subject)?.id;
    // The worker was killed before the run was stored, so nothing was promised to the owner.
    if (typeof runId !== "string") {
      expect(point).toBe("create:before");
      return "never created";
    }
    const run = await lane.decideUntilEnded(runId, worker);
    const wasHit = worker.lines.some((line) => "faulted" in line);
    if (!worker.isAlive())
      expect(await worker.ended, "It died by itself").toEqual({ signal: "SIGKILL" });
    expect(lane.standby.isAlive(), "The one that takes over died").toBe(true);
    if (how === "freeze") {
      worker.thaw();
      await worker.end();
    }
    await lane.waitForGoogle();
    const said = await matrix.judge({
      run: await client.call("GET /api/runs/:id", { params: { id: run.id } }),
      events: await lane.events(runId),
      simulator: lane.simulator,
      subject,
    });
    if (wasHit) return said;
  } finally {
    await worker.kill();
  }
  if (tries === 1 && matrix.unsure?.test(point) === true) return "not passed";
  if (tries === 1) throw new Error(`None of ${maxTries} workers passed the point`);
  return await runCase(matrix, lane, one, name, tries - 1);
}
