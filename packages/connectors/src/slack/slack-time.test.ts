import fc from "fast-check";
import { expect, it } from "vitest";
import { slackTime } from "./slack-time.ts";

it.each([
  ["2026-11-02", "2026-11-02T00:00:00Z"],
  ["2026-11-02T09:00", "2026-11-02T09:00:00Z"],
  ["2026-11-02T09:00Z", "2026-11-02T09:00:00Z"],
  ["2026-11-02T09:00+02:00", "2026-11-02T07:00:00Z"],
  ["2026-11-02T09:00:30.5-05:00", "2026-11-02T14:00:30.5Z"],
  ["2028-02-29", "2028-02-29T00:00:00Z"],
])("RT9 reads %s as %s in any server zone", (text, meant) => {
  expect(slackTime("since", text)).toBe((Date.parse(meant) / 1_000).toFixed(6));
});

it.each([
  "2026-02-31",
  "2026-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-11-02T24:00",
  "2026-11-02T09:60",
  "2026-11-02T09",
  "2026-11-02 09:00",
  "1969-12-31",
  "last week",
  "+010000-01-01",
  "2026-11-02T09:00+99:99",
  "",
])("RT9 rejects %j and says which forms are valid", (text) => {
  expect(() => slackTime("since", text)).toThrow(/^since: ".*" is not a time such as/);
});

it("RT9 keeps Slack's own seconds unchanged", () => {
  for (const own of ["1763200000", "1763200000.000100"]) expect(slackTime("until", own)).toBe(own);
});

it("RT9 reads the same moment in any offset", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(0), max: new Date("2099-12-31"), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (moment, offset) => {
        const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const zone = `${offset < 0 ? "-" : "+"}${String(Math.floor(Math.abs(offset) / 60)).padStart(2, "0")}:${String(Math.abs(offset) % 60).padStart(2, "0")}`;
        expect(Number(slackTime("since", `${local}${zone}`))).toBe(moment.getTime() / 1_000);
      },
    ),
  );
});
