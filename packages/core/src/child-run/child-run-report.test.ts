import { expect, it } from "vitest";
import { childRunReport, childRunUpkeep, type ChildRunFacts } from "./child-run-report.ts";

const running: ChildRunFacts = {
  status: "executing",
  parentStatus: "executing",
  cancelRequested: false,
  reported: "running",
};

it.each<[string, Partial<ChildRunFacts>]>([
  ["nothing", {}],
  ["report", { status: "awaiting_confirmation" }],
  ["nothing", { status: "awaiting_auth", reported: "waiting" }],
  ["report", { reported: "waiting" }],
  ["report", { status: "failed" }],
  ["nothing", { status: "failed", reported: "over" }],
  ["cancel", { parentStatus: "completed" }],
  ["nothing", { parentStatus: "completed", cancelRequested: true }],
  ["report", { parentStatus: "canceled", status: "canceled" }],
])("has %s to do for a child run that is %j", (upkeep, facts) => {
  expect(childRunUpkeep({ ...running, ...facts })).toBe(upkeep);
});

it("leaves out of the report what there is nothing to say about", () => {
  const child = {
    id: "c",
    title: "Find it",
    status: "completed",
    error: null,
    outcome: null,
  } as const;
  expect(childRunReport({ ...child, notDone: 0 }).payload).toEqual({
    childRunId: "c",
    title: "Find it",
    status: "completed",
  });
  expect(childRunReport({ ...child, notDone: 2, outcome: "partly_done" }).payload).toMatchObject({
    notDone: 2,
    outcome: "partly_done",
  });
});
