import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { approvalOf } from "./approval-of.ts";
import { applyEvents, emptyTimeline } from "./timeline.ts";

const ids = { approvalId: "a1", actionId: "x", effectId: "e1", tool: "send", digest: "d" };
const prepared = { to: "eva\u202E" };
const payloads: [EventView["type"], object][] = [
  ["effect", { ...ids, state: "awaiting_confirmation", prepared, editable: prepared }],
  ["approval", { ...ids, state: "pending", expiresAt: "2026-11-18T12:00:00.000Z" }],
  ["ui", { kind: "ApprovalCard", payload: { approvalId: "a1" } }],
];
const ended: [EventView["type"], object] = ["status", { status: "completed" }];

function timelineOf(...entries: readonly [EventView["type"], object][]) {
  const events = entries.map(([type, payload], index) => ({
    runId: "r",
    seq: index + 1,
    createdAt: "2026-11-15T12:00:00.000Z",
    type,
    payload,
  }));
  return applyEvents(emptyTimeline, events as EventView[]);
}

function sourceOf(timeline: ReturnType<typeof timelineOf>, isCaughtUp = true) {
  const card = timeline.items.find(({ kind }) => kind === "card");
  if (!card) throw new Error("No card");
  return approvalOf(card, timeline, isCaughtUp);
}

it("takes an approval from the log, with values that can be edited as they are", () => {
  expect(sourceOf(timelineOf(...payloads))).toMatchObject({
    approval: { id: "a1", state: "pending", prepared, editable: prepared },
    effectState: "awaiting_confirmation",
  });
});

it("waits until the earlier log has arrived, because its approvals look open until then", () => {
  expect(sourceOf(timelineOf(...payloads), false)).toBe("arriving");
});

it("reads an approval from the server if the log has no form, or was closed before it", () => {
  const [, ...withoutForm] = payloads;
  expect(sourceOf(timelineOf(...withoutForm))).toBe("server");
  expect(sourceOf(timelineOf(...payloads, ended))).toBe("server");
  const denied: [EventView["type"], object] = ["approval", { ...ids, state: "denied" }];
  expect(sourceOf(timelineOf(...payloads, denied, ended))).toMatchObject({
    approval: { state: "denied" },
  });
});
