import type { Runs } from "@bron/core";
import type { RunChange, RunStatus } from "@bron/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createChanges, type ChangesListener } from "./changes.ts";
import { systemClock } from "./system-clock.ts";

const ownerId = "owner";
const lookMs = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Runs of an owner in memory, each question kept, and a watch whose time passes by hand. */
function harness() {
  const runs = new Map<string, RunChange>();
  const asked: Parameters<Runs["changes"]>[] = [];
  const problems: unknown[] = [];
  let isAway = false;
  const changes: Runs["changes"] = async (ownerIds, of) => {
    asked.push([ownerIds, of]);
    if (isAway) throw new TypeError("away");
    return [...runs.values()].filter(
      ({ run }) =>
        ownerIds.includes(run.ownerId) &&
        (of.runIds.includes(run.id) || (of.underWay === true && run.status === "executing")),
    );
  };
  const watch = createChanges({
    runs: { changes },
    clock: systemClock,
    onProblem: (error) => problems.push(error),
  });
  const put = (id: string, lastSeq: number, status: RunStatus = "executing", owner = ownerId) =>
    runs.set(id, {
      run: { id, ownerId: owner, lastSeq, status } as RunChange["run"],
      pendingApprovals: 0,
    });
  const listen = (owner = ownerId, extra: Partial<ChangesListener> = {}) => {
    const told: string[][] = [];
    let gaps = 0;
    const leave = watch.follow(owner, {
      onChange: (found) =>
        told.push(found.map(({ run }) => `${run.id} ${run.lastSeq} ${run.status}`)),
      onGap: () => gaps++,
      ...extra,
    });
    return { told, gaps: () => gaps, leave };
  };
  return { watch, asked, problems, put, listen, away: (away: boolean) => (isAway = away) };
}

it("BR6 asks nothing while nobody follows, neither before nor after", async () => {
  const { watch, asked, put, listen } = harness();
  put("a", 3);
  watch.changed("a");
  await pass(2 * lookMs);
  expect(asked).toEqual([]);
  const { leave } = listen();
  await pass(200);
  expect(asked).toEqual([[[ownerId], { runIds: [], underWay: true }]]);
  leave();
  watch.changed("a");
  const before = asked.length;
  await pass(2 * lookMs);
  expect(asked).toHaveLength(before);
});

it("BR6 collects hints of 200 ms into one question for all owners who are followed, and tells each their own", async () => {
  const { watch, asked, put, listen } = harness();
  const [mine, mineToo, others] = [listen(), listen(), listen("other")];
  await pass(200);
  asked.length = 0;
  put("a", 4);
  put("b", 2, "completed");
  put("c", 9, "executing", "other");
  put("d", 9, "executing", "nobody");
  for (const runId of ["a", "b", "a", "c", "d"]) watch.changed(runId);
  await pass(200);
  expect(asked).toEqual([[[ownerId, "other"], { runIds: ["a", "b", "c", "d"], underWay: false }]]);
  for (const { told } of [mine, mineToo])
    expect(told).toEqual([["a 4 executing", "b 2 completed"]]);
  expect(others.told).toEqual([["c 9 executing"]]);
  await pass(1_000);
  expect(asked).toHaveLength(1);
});

it("BR6 finds what was not hinted at within five seconds: a run that went on, one that ended, a new one; not what was there before", async () => {
  const { put, listen } = harness();
  put("a", 3);
  put("b", 3);
  put("c", 3);
  const { told } = listen();
  await pass(lookMs);
  expect(told).toEqual([]);
  put("a", 5);
  put("b", 7, "failed");
  put("d", 1);
  await pass(lookMs);
  expect(told).toEqual([["a 5 executing", "b 7 failed", "d 1 executing"]]);
  await pass(3 * lookMs);
  expect(told).toHaveLength(1);
});

it("BR6 forgets no hint while the database is away", async () => {
  const { watch, put, listen, away } = harness();
  const { told } = listen();
  await pass(200);
  away(true);
  put("a", 4, "completed");
  watch.changed("a");
  await pass(3_000);
  expect(told).toEqual([]);
  away(false);
  await pass(1_500);
  expect(told).toEqual([["a 4 completed"]]);
});

it("BR6 tells everyone of a gap, and lets no listener keep it from the others", async () => {
  const { watch, problems, put, listen } = harness();
  const failing = () => {
    throw new TypeError("mine");
  };
  listen(ownerId, { onChange: failing, onGap: failing });
  const other = listen();
  await pass(200);
  watch.missed();
  expect(other.gaps()).toBe(1);
  put("a", 1);
  watch.changed("a");
  await pass(200);
  expect(other.told).toEqual([["a 1 executing"]]);
  expect(problems).toHaveLength(2);
});
