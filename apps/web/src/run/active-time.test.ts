import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { activeMs, addActiveTime, noActiveTime } from "./active-time.ts";

const start = Date.parse("2026-11-15T12:00:00.000Z");
const at = (seconds: number) => ({
  runId: "r",
  seq: seconds + 1,
  createdAt: new Date(start + seconds * 1_000).toISOString(),
});
const status = (seconds: number, of: "queued" | "awaiting_confirmation" | "completed") =>
  ({ ...at(seconds), type: "status", payload: { status: of } }) as EventView;
const step = (seconds: number) =>
  ({
    ...at(seconds),
    type: "step",
    payload: { phase: "start", step: 1, attempt: 1 },
  }) as EventView;
const activeAfter = (...events: EventView[]) => events.reduce(addActiveTime, noActiveTime);

it("counts neither the time before the first step nor the time in which it waits", () => {
  const active = activeAfter(
    status(0, "queued"),
    step(5),
    status(8, "awaiting_confirmation"),
    step(68),
    status(69, "completed"),
  );
  expect(activeMs(active, start + 500_000)).toBe(4_000);
});

it("grows while the run works", () => {
  const active = activeAfter(status(0, "queued"), step(1), step(2));
  expect(activeMs(active, start + 3_000)).toBe(2_000);
  expect(activeMs(active, start)).toBe(0);
});
