import type { EventView } from "@bron/protocol";
import { expect, test } from "vitest";
import { createEventDescriber } from "./event-line.ts";

type Effect = Extract<EventView, { type: "effect" }>["payload"];
const ids = { effectId: "e", actionId: "a", tool: "gmail_send", digest: "d" } as const;
const said = (payload: Effect) =>
  createEventDescriber()({
    runId: "3f9a1c20-1111-4222-8333-444455556666",
    seq: 1,
    createdAt: "2026-11-15T12:00:00.000Z",
    type: "effect",
    payload,
  });
const approved: Effect = {
  ...ids,
  state: "approved",
  prepared: {},
  reasons: [{ code: "recipients_trusted", contacts: ["eva@brandt.example"] }],
};

test("BR2 says why something leaves without asking, and how to undo it", () => {
  expect(said({ ...approved, undoUntil: 1 })).toBe(
    "You aren't asked first: eva@brandt.example is a trusted contact. To undo it: bron runs undo 3f9a1c20",
  );
  expect(said(approved)).toBe("You aren't asked first: eva@brandt.example is a trusted contact.");
  expect(said({ ...ids, state: "rejected", undone: true })).toBe("You undid it. Nothing was done.");
});

test("says nothing of an effect that only the owner sees, or that was approved", () => {
  expect(said({ ...approved, reasons: [{ code: "only_owner_sees" }] })).toBeUndefined();
  expect(said({ ...ids, state: "approved" })).toBeUndefined();
});
