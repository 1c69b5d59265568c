import { emptyRunResult, type EventView, type RunView } from "@bron/protocol";
import { expect, test } from "vitest";
import { describeRun, type ChildRunDetails } from "./run-details.ts";

const idOf = (digit: number) => `${String(digit).repeat(8)}-1111-4222-8333-444455556666`;
const createdAt = "2026-11-15T12:00:00.000Z";

function runOf(digit: number, view: Partial<RunView> = {}): RunView {
  return {
    id: idOf(digit),
    title: `Task ${digit}`,
    prompt: `Task ${digit}`,
    status: "completed",
    waitsFor: null,
    ...emptyRunResult,
    spentMicrousd: 0,
    error: null,
    place: null,
    summary: null,
    startedAt: null,
    finishedAt: null,
    retryOf: null,
    threadId: idOf(9),
    createdAt,
    ...view,
  } as RunView;
}

const eventsOf = (parent: number, children: readonly number[]): EventView[] => [
  {
    runId: idOf(parent),
    seq: 1,
    createdAt,
    type: "message",
    payload: { role: "user", content: `Do ${parent}` },
  },
  ...children.flatMap((child, index): EventView[] => {
    const entry = { runId: idOf(parent), createdAt, type: "child_run" } as const;
    const payload = { childRunId: idOf(child), title: `Task ${child}` };
    return [
      { ...entry, seq: 2 + 2 * index, payload: { ...payload, status: "queued", spawnedBy: "a" } },
      { ...entry, seq: 3 + 2 * index, payload: { ...payload, status: "queued", actionId: "b" } },
    ];
  }),
];

const timelineOf = (children: readonly ChildRunDetails[]) =>
  describeRun(
    { run: runOf(1), actions: [], effects: [], events: eventsOf(1, [2, 3]), children },
    { heading: (head) => head },
  )
    .join("\n")
    .split("Timeline\n")[1];

const failed = runOf(2, {
  status: "failed",
  spentMicrousd: 2_100,
  error: { code: "cap_time", why: { code: "time_limit", minutes: 8 } },
});
const asking = runOf(3, { status: "awaiting_confirmation", waitsFor: { kind: "question" } });

test("BR16 shows each child run in a line below the step that started it", () => {
  const children = [
    { run: failed, children: [] },
    { run: asking, children: [], waits: "Waits for the folder /x on m, which is not running." },
  ];
  expect(timelineOf(children)).toMatchInlineSnapshot(`
    "     +0.0s  You: Do 1
         +0.0s  Child run 22222222, failed ($0.002100): Task 2
                │   Stopped after 8 minutes, the time limit for one task. (code cap_time)
         +0.0s  Waiting for child run 22222222: Task 2
         +0.0s  Child run 33333333, needs your answer: Task 3
                │ Waits for the folder /x on m, which is not running.
         +0.0s  Waiting for child run 33333333: Task 3"
  `);
});

test("BR16 shows the steps of child runs of any depth", () => {
  const grandchild = { run: runOf(4), events: eventsOf(4, []), children: [] };
  const children = [
    { run: failed, events: eventsOf(2, []), children: [] },
    { run: asking, events: eventsOf(3, [4]), children: [grandchild] },
  ];
  expect(timelineOf(children)).toMatchInlineSnapshot(`
    "     +0.0s  You: Do 1
         +0.0s  Child run 22222222, failed ($0.002100): Task 2
                │   Stopped after 8 minutes, the time limit for one task. (code cap_time)
                │    +0.0s  You: Do 2
         +0.0s  Waiting for child run 22222222: Task 2
         +0.0s  Child run 33333333, needs your answer: Task 3
                │    +0.0s  You: Do 3
                │    +0.0s  Child run 44444444, done: Task 4
                │           │    +0.0s  You: Do 4
                │    +0.0s  Waiting for child run 44444444: Task 4
         +0.0s  Waiting for child run 33333333: Task 3"
  `);
});
