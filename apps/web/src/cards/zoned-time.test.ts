import { describe, expect, it } from "vitest";
import { inZone, isMoment, momentOf, movedAlong, offsetsOf } from "./zoned-time.ts";

const zone = "Europe/Berlin";

describe("an event's time in a form", () => {
  it("RT9 is in the event's zone, whatever the reader's zone", () => {
    expect(momentOf("2031-05-05T09:00", zone, "")).toBe("2031-05-05T09:00:00+02:00");
    expect(momentOf("2031-01-05T09:00:30", zone, "")).toBe("2031-01-05T09:00:30+01:00");
    expect(momentOf("2031-05-05T09:00", "America/New_York", "")).toBe("2031-05-05T09:00:00-04:00");
    expect(momentOf("2031-05-05T09:00", "UTC", "")).toBe("2031-05-05T09:00:00+00:00");
    expect(momentOf("2031-05-05T09:00", "Asia/Kathmandu", "")).toBe("2031-05-05T09:00:00+05:45");
    expect(inZone(Date.parse("2031-05-05T09:00:00+02:00"), "America/New_York")).toBe(
      "2031-05-05T03:00:00-04:00",
    );
  });

  it("RT9 has no offset where clocks go forward, and two where they go back", () => {
    expect(offsetsOf("2027-03-28T02:30", zone)).toEqual([]);
    expect(isMoment(momentOf("2027-03-28T02:30", zone, ""))).toBe(false);
    expect(offsetsOf("2027-10-31T02:30", zone)).toEqual(["+02:00", "+01:00"]);
    expect(momentOf("2027-10-31T02:30", zone, "")).toBe("2027-10-31T02:30:00+02:00");
    expect(momentOf("2027-10-31T02:40", zone, "2027-10-31T02:30:00+01:00")).toBe(
      "2027-10-31T02:40:00+01:00",
    );
    expect(offsetsOf("2027-11-07T01:30", "America/New_York")).toEqual(["-04:00", "-05:00"]);
    expect(offsetsOf("", zone)).toEqual([]);
  });

  it("RT9 keeps its duration when the start moves, also across a clock change", () => {
    expect(
      movedAlong("2027-03-27T10:00:00+01:00", {
        from: "2027-03-27T09:00:00+01:00",
        to: "2027-03-28T01:30:00+01:00",
        zone,
      }),
    ).toBe("2027-03-28T03:30:00+02:00");
    expect(movedAlong("2031-05-06", { from: "2031-05-05", to: "2031-05-31", zone })).toBe(
      "2031-06-01",
    );
    expect(movedAlong("2031-05-06", { from: "2031-05-05", to: "", zone })).toBe("2031-05-06");
  });
});
