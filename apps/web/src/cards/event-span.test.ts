import { describe, expect, it } from "vitest";
import {
  formatBothTimes,
  formatTimeHint,
  formatReaderTime,
  formatSpan,
  formatFieldTime,
} from "./event-span.tsx";

const locale = "en-GB";

describe("an event's time on the page", () => {
  it("RT9 is in the event's own zone, whatever the reader's zone, and names it", () => {
    expect(
      formatSpan({
        start: "2027-03-30T09:00:00+02:00",
        end: "2027-03-30T09:45:00+02:00",
        timeZone: "Europe/Berlin",
        locale,
      }),
    ).toBe("30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)");
    expect(
      formatSpan({ start: "2027-03-30T23:30:00-04:00", end: "2027-03-31T00:15:00-04:00", locale }),
    ).toBe("30 Mar 2027, 23:30 – 31 Mar 2027, 00:15 (UTC-04:00)");
    expect(formatSpan({ start: "2027-03-30T09:00:00Z", end: "2027-03-30T10:00:00Z", locale })).toBe(
      "30 Mar 2027, 09:00 – 10:00 (UTC)",
    );
  });

  it("RT9 names both offsets when clocks change in between", () => {
    expect(
      formatSpan({
        start: "2027-10-31T01:30:00+02:00",
        end: "2027-10-31T04:00:00+01:00",
        timeZone: "Europe/Berlin",
        locale,
      }),
    ).toBe("31 Oct 2027, 01:30 – 04:00 (Europe/Berlin, UTC+02:00 – UTC+01:00)");
  });

  it("RT9 is also shown at the reader's time, with the date where it differs", () => {
    const event = {
      start: "2027-03-30T15:00:00+02:00",
      end: "2027-03-30T16:00:00+02:00",
      timeZone: "Europe/Berlin",
      locale,
    };
    expect(formatBothTimes({ ...event, readerZone: "America/New_York" })).toBe(
      "15:00 – 16:00 Berlin time, 09:00 – 10:00 your time",
    );
    expect(formatBothTimes({ ...event, readerZone: "Europe/Paris" })).toBeUndefined();
    expect(formatBothTimes({ ...event, timeZone: undefined, readerZone: "Pacific/Auckland" })).toBe(
      "15:00 – 16:00 (UTC+02:00), 31 Mar 2027, 02:00 – 03:00 your time",
    );
    expect(formatReaderTime({ ...event, end: event.start, readerZone: "UTC" })).toBe(
      "13:00 your time",
    );
    expect(
      formatTimeHint(event.start, "Europe/Berlin", { locale, readerZone: "America/New_York" }),
    ).toBe("Europe/Berlin, UTC+02:00; 09:00 your time");
  });

  it("X1 keeps everything that the text says in a diff", () => {
    expect(formatFieldTime("2027-03-30T15:00:00+02:00", locale)).toBe(
      "30 Mar 2027, 15:00 (UTC+02:00)",
    );
    expect(formatFieldTime("2027-03-30", locale)).toBe("30 Mar 2027");
    for (const text of ["2027-03-30T15:00:30+02:00", "soon", ""])
      expect(formatFieldTime(text, locale)).toBe(text);
  });
});
