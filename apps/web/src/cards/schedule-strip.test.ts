import { expect, it } from "vitest";
import { clockSpan, scheduleStrip } from "./schedule-strip.ts";

const at = (clock: string, day = "2026-11-19") => `${day}T${clock}:00+01:00`;
const event = (start: string, end: string, clashes = false) => ({
  title: "Paint samples",
  start,
  end,
  clashes,
});
const wanted = { start: at("15:00"), end: at("15:30") };
const shown = (events: Parameters<typeof scheduleStrip>[0], time = wanted) =>
  scheduleStrip(events, time)
    .filter(({ kind }) => kind !== "hour")
    .map(({ kind, from, width }) => [kind, Math.round(from * 660), Math.round(width * 660)]);

it("lays a day out from 8 to 19, with what clashes and the event itself", () => {
  expect(shown([event(at("09:00"), at("10:00")), event(at("14:30"), at("15:30"), true)])).toEqual([
    ["busy", 60, 60],
    ["clash", 390, 60],
    ["this", 420, 30],
  ]);
});

it("leaves out events of a whole day, and widens the day for early and late ones", () => {
  const slots = scheduleStrip(
    [event("2026-11-19", "2026-11-19"), event(at("22:00", "2026-11-18"), at("07:30"))],
    { start: at("23:30"), end: at("00:30", "2026-11-20") },
  );
  expect(slots.filter(({ kind }) => kind === "busy")).toHaveLength(1);
  expect(slots.find(({ kind }) => kind === "busy")).toMatchObject({ from: 0, width: 7.5 / 24 });
  const own = slots.find(({ kind }) => kind === "this");
  expect((own?.from ?? 0) + (own?.width ?? 0)).toBeCloseTo(1);
});

it("gives a moment a width that can be seen", () => {
  expect(shown([event(at("12:00"), at("12:00"))])[0]).toEqual(["busy", 240, 15]);
});

it("prints the clock times of an event", () => {
  expect(clockSpan(at("14:30"), at("15:30"))).toBe("14:30–15:30");
});
