import type { UsageView } from "@bron/protocol";
import { expect, it } from "vitest";
import { outcomeSeries, outcomesLine } from "./outcomes.ts";

const total: UsageView["total"] = {
  runs: 38,
  succeeded: 12,
  inPart: 2,
  couldNot: 1,
  needsAnswer: 3,
  deniedRuns: 4,
  failed: 5,
  canceled: 6,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  costMicrousd: 0,
  approved: 0,
  denied: 0,
  toolCalls: 0,
  successRate: null,
  medianSeconds: null,
  workedSeconds: 0,
  medianApprovalSeconds: null,
};

it("BR23 shows every outcome as itself, and only unfinished tasks as in progress", () => {
  const day = { day: "2026-11-16", ...total };
  expect(Object.fromEntries(outcomeSeries.map(({ name, of }) => [name, of(day)]))).toEqual({
    Done: 12,
    "Partly done": 2,
    "Couldn't do it": 1,
    Failed: 5,
    "You declined": 4,
    Stopped: 6,
    "Needs your answer": 3,
    "In progress": 5,
  });
});

it("BR23 draws no two outcomes in the same color", () => {
  expect(new Set(outcomeSeries.map(({ color }) => color)).size).toBe(outcomeSeries.length);
});

it("BR23 tells the outcomes in a line, without those that no task has", () => {
  const none = { needsAnswer: 0, deniedRuns: 0, failed: 0, canceled: 0 };
  expect(outcomesLine({ ...total, ...none, runs: 15 })).toBe(
    "12 done, 2 partly done, 1 couldn't do it",
  );
  expect(outcomesLine({ ...total, ...none, runs: 16 })).toMatch(/, 1 in progress$/);
});
