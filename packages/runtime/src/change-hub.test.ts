import type { Runs } from "@bron/core";
import type { RunChange, RunStatus } from "@bron/protocol";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createChangeHub, type ChangesListener } from "./change-hub.ts";
import { systemClock } from "./system-clock.ts";

const ownerId = "owner";
const lookMs = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** An owner's runs in memory with a record of every query, and a change hub on a manual clock. */
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
        (of.runIds.includes(run.id) || (of.active === true && run.status === "executing")),
    );
  };
  const loop = createChangeHub({
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
    const reported: string[][] = [];
    let gaps = 0;
    const unsubscribe = loop.subscribe(owner, {
      onChange: (found) =>
        reported.push(found.map(({ run }) => `${run.id} ${run.lastSeq} ${run.status}`)),
      onGap: () => gaps++,
      ...extra,
    });
    return { reported, gaps: () => gaps, unsubscribe };
  };
  return { loop, asked, problems, put, listen, away: (away: boolean) => (isAway = away) };
}

it("BR6 runs no queries without subscribers", async () => {
  const { loop, asked, put, listen } = harness();
  put("a", 3);
  loop.changed("a");
  await advance(2 * lookMs);
  expect(asked).toEqual([]);
  const { unsubscribe } = listen();
  await advance(200);
  expect(asked).toEqual([[[ownerId], { runIds: [], active: true }]]);
  unsubscribe();
  loop.changed("a");
  const before = asked.length;
  await advance(2 * lookMs);
  expect(asked).toHaveLength(before);
});

it("BR6 batches hints for 200 ms into one query for all subscribed owners, and reports to each their own runs", async () => {
  const { loop, asked, put, listen } = harness();
  const [mine, mineToo, others] = [listen(), listen(), listen("other")];
  await advance(200);
  asked.length = 0;
  put("a", 4);
  put("b", 2, "completed");
  put("c", 9, "executing", "other");
  put("d", 9, "executing", "nobody");
  for (const runId of ["a", "b", "a", "c", "d"]) loop.changed(runId);
  await advance(200);
  expect(asked).toEqual([[[ownerId, "other"], { runIds: ["a", "b", "c", "d"], active: false }]]);
  for (const { reported } of [mine, mineToo])
    expect(reported).toEqual([["a 4 executing", "b 2 completed"]]);
  expect(others.reported).toEqual([["c 9 executing"]]);
  await advance(1_000);
  expect(asked).toHaveLength(1);
});

it("BR6 finds changes without a hint within five seconds: a run that advanced, ended or is new, but not earlier runs", async () => {
  const { put, listen } = harness();
  put("a", 3);
  put("b", 3);
  put("c", 3);
  const { reported } = listen();
  await advance(lookMs);
  expect(reported).toEqual([]);
  put("a", 5);
  put("b", 7, "failed");
  put("d", 1);
  await advance(lookMs);
  expect(reported).toEqual([["a 5 executing", "b 7 failed", "d 1 executing"]]);
  await advance(3 * lookMs);
  expect(reported).toHaveLength(1);
});

it("BR6 keeps hints while the database is unavailable", async () => {
  const { loop, put, listen, away } = harness();
  const { reported } = listen();
  await advance(200);
  away(true);
  put("a", 4, "completed");
  loop.changed("a");
  await advance(3_000);
  expect(reported).toEqual([]);
  away(false);
  await advance(1_500);
  expect(reported).toEqual([["a 4 completed"]]);
});

it("BR6 reports a gap to all listeners, even if one throws", async () => {
  const { loop, problems, put, listen } = harness();
  const failing = () => {
    throw new TypeError("mine");
  };
  listen(ownerId, { onChange: failing, onGap: failing });
  const other = listen();
  await advance(200);
  loop.reportGap();
  expect(other.gaps()).toBe(1);
  put("a", 1);
  loop.changed("a");
  await advance(200);
  expect(other.reported).toEqual([["a 1 executing"]]);
  expect(problems).toHaveLength(2);
});
