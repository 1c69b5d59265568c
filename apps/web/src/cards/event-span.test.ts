import { describe, expect, it } from "vitest";
import { spanInWords } from "./event-span.tsx";

const locale = "en-GB";

describe("an event's time on the page", () => {
  it("RT9 is the event's own, whatever the reader's zone, and names its zone", () => {
    expect(spanInWords({ start: "2027-03-30T09:00:00+02:00", end: "2027-03-30T09:45:00+02:00", timeZone: "Europe/Berlin", locale })).toBe("30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)");
    expect(spanInWords({ start: "2027-03-30T23:30:00-04:00", end: "2027-03-31T00:15:00-04:00", locale })).toBe("30 Mar 2027, 23:30 – 31 Mar 2027, 00:15 (UTC-04:00)");
    expect(spanInWords({ start: "2027-03-30T09:00:00Z", end: "2027-03-30T10:00:00Z", locale })).toBe("30 Mar 2027, 09:00 – 10:00 (UTC)");
  });

  it("RT9 names both offsets when clocks are set in between", () => {
    expect(spanInWords({ start: "2027-10-31T01:30:00+02:00", end: "2027-10-31T04:00:00+01:00", timeZone: "Europe/Berlin", locale })).toBe("31 Oct 2027, 01:30 – 04:00 (Europe/Berlin, UTC+02:00 – UTC+01:00)");
  });
});
