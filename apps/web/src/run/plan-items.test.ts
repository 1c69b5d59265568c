import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { applyEvents, emptyTimeline } from "./timeline.ts";

const at = { runId: "r", createdAt: "2026-11-15T12:00:00.000Z" };
const asks = [
  { key: "one", kind: "send_mail", words: "mail Eva", times: "once", people: ["Eva"], things: [] },
  { key: "all", kind: "reply", words: "reply to each", times: "each", people: [], things: [] },
] as const;
const log: EventView[] = [
  { ...at, seq: 1, type: "status", payload: { status: "planning" } },
  {
    ...at,
    seq: 2,
    type: "intent",
    payload: { state: "read", callId: "c", asks: [...asks], prohibitions: [] },
  },
];
const effect = (...used: string[]): EventView => ({
  ...at,
  seq: 3,
  type: "effect",
  payload: { effectId: "e", actionId: "a", tool: "t", state: "approved", digest: "d", asks: used },
});
const statesOf = (events: readonly EventView[]) => {
  const plan = applyEvents(emptyTimeline, events).items.find(({ kind }) => kind === "plan");
  return plan?.kind === "plan" ? plan.asks.map(({ state }) => state) : undefined;
};

it("shows which requests are used and crossed out", () => {
  expect(statesOf(log)).toEqual(["open", "open"]);
  expect(statesOf([...log, effect("one")])).toEqual(["used", "open"]);
  // "Each" stays open, because other people may follow.
  expect(statesOf([...log, effect("all\njonas@a.example")])).toEqual(["open", "open"]);
  const crossedOut = { state: "crossed_out", key: "all", by: "local" } as const;
  const event: EventView = { ...at, seq: 3, type: "intent", payload: crossedOut };
  expect(statesOf([...log, event])).toEqual(["open", "crossed_out"]);
});

it("offers nothing to cross out once the task has ended", () => {
  const end: EventView = { ...at, seq: 3, type: "status", payload: { status: "completed" } };
  const { items } = applyEvents(emptyTimeline, [...log, end]);
  expect(items.find(({ kind }) => kind === "plan")).toMatchObject({ isOver: true });
});
