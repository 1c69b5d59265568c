import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { actionWords } from "../words/action.ts";
import { sectionsOf } from "./task-sections.ts";
import { applyEvents, emptyTimeline } from "./timeline.ts";

const undoUntil = Date.parse("2026-11-15T12:00:05.000Z");
type Effect = Extract<EventView, { type: "effect" }>["payload"];
const ids = { effectId: "e", actionId: "a", tool: "gmail_send", digest: "d" } as const;
const proposed: Effect = {
  ...ids,
  state: "approved",
  prepared: {},
  preview: "Send “Hello” to eva@brandt.example",
  reasons: [{ code: "recipients_trusted", contacts: ["brandt.example"] }],
  undoUntil,
};

const after = (...payloads: Effect[]) =>
  applyEvents(
    emptyTimeline,
    payloads.map((payload, index) => ({
      runId: "r",
      createdAt: "2026-11-15T12:00:00.000Z",
      seq: index + 1,
      type: "effect",
      payload,
    })),
  ).items;

it("BR2 shows what leaves unasked among the questions until it starts, and then as a step", () => {
  const waiting = after(proposed);
  expect(sectionsOf(waiting, false).asks).toMatchObject([
    { kind: "unasked", key: "e", state: "approved", undoUntil },
  ]);
  for (const state of ["attempting", "rejected"] as const) {
    const { asks, steps } = sectionsOf(after(proposed, { ...ids, state }), false);
    expect(asks).toEqual([]);
    expect(steps).toMatchObject([{ kind: "unasked", state }]);
  }
  expect(sectionsOf(waiting, true).asks).toEqual([]);
});

it("BR2 shows nothing of an effect that only the owner sees, or that was approved", () => {
  expect(after({ ...proposed, reasons: [{ code: "only_owner_sees" }] })).toEqual([]);
  expect(after({ ...proposed, state: "awaiting_confirmation" })).toEqual([]);
  expect(after({ ...ids, state: "approved" })).toEqual([]);
});

it("says why it left", () => {
  expect(actionWords("gmail_send").unasked("brandt.example is a trusted contact.")).toBe(
    "Sent without asking: brandt.example is a trusted contact.",
  );
});
