import { describe, expect, it } from "vitest";
import { bothInWords, fieldInWords, hereInWords, spanInWords, timeInWords } from "./event-span.tsx";

const locale = "en-GB";

describe("an event's time on the page", () => {
  it("RT9 is the event's own, whatever the reader's zone, and names its zone", () => {
    expect(
      spanInWords({
        start: "2027-03-30T09:00:00+02:00",
        end: "2027-03-30T09:45:00+02:00",
        timeZone: "Europe/Berlin",
        locale,
      }),
    ).toBe("30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)");
    expect(
      spanInWords({ start: "2027-03-30T23:30:00-04:00", end: "2027-03-31T00:15:00-04:00", locale }),
    ).toBe("30 Mar 2027, 23:30 – 31 Mar 2027, 00:15 (UTC-04:00)");
    expect(
      spanInWords({ start: "2027-03-30T09:00:00Z", end: "2027-03-30T10:00:00Z", locale }),
    ).toBe("30 Mar 2027, 09:00 – 10:00 (UTC)");
  });

  it("RT9 names both offsets when clocks are set in between", () => {
    expect(
      spanInWords({
        start: "2027-10-31T01:30:00+02:00",
        end: "2027-10-31T04:00:00+01:00",
        timeZone: "Europe/Berlin",
        locale,
      }),
    ).toBe("31 Oct 2027, 01:30 – 04:00 (Europe/Berlin, UTC+02:00 – UTC+01:00)");
  });

  it("RT9 is told to a reader elsewhere by their own clock too, with the day where that is another one", () => {
    const event = {
      start: "2027-03-30T15:00:00+02:00",
      end: "2027-03-30T16:00:00+02:00",
      timeZone: "Europe/Berlin",
      locale,
    };
    expect(bothInWords({ ...event, readerZone: "America/New_York" })).toBe(
      "15:00 – 16:00 in Berlin, 09:00 – 10:00 for you",
    );
    expect(bothInWords({ ...event, readerZone: "Europe/Paris" })).toBeUndefined();
    expect(bothInWords({ ...event, timeZone: undefined, readerZone: "Pacific/Auckland" })).toBe(
      "15:00 – 16:00 in UTC+02:00, 31 Mar 2027, 02:00 – 03:00 for you",
    );
    expect(hereInWords({ ...event, end: event.start, readerZone: "UTC" })).toBe("13:00 for you");
    expect(
      fieldInWords(event.start, "Europe/Berlin", { locale, readerZone: "America/New_York" }),
    ).toBe("Europe/Berlin, UTC+02:00; 09:00 for you");
  });

  it("X1 is told in a difference with all that the text says", () => {
    expect(timeInWords("2027-03-30T15:00:00+02:00", locale)).toBe("30 Mar 2027, 15:00 (UTC+02:00)");
    expect(timeInWords("2027-03-30", locale)).toBe("30 Mar 2027");
    for (const text of ["2027-03-30T15:00:30+02:00", "soon", ""])
      expect(timeInWords(text, locale)).toBe(text);
  });
});
