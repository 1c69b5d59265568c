import { describe, expect, it } from "vitest";
import { renderEvent, renderEvents } from "./workspace-card.ts";

const call = {
  eventId: "1",
  summary: "Call",
  start: "2027-03-30T09:00:00+02:00",
  end: "2027-03-30T09:45:00+02:00",
  allDay: false,
  location: "",
  guests: [],
};

describe("events in the terminal", () => {
  it("RT9 are shown in their own time zone, whatever the machine's", () => {
    const fair = { ...call, summary: "Fair", start: "2027-04-01", end: "2027-04-02", allDay: true };
    const late = {
      ...call,
      summary: "Late",
      start: "2027-10-30T23:30:00+02:00",
      end: "2027-10-31T03:00:00+01:00",
    };
    expect(
      renderEvents({ from: "", to: "", timeZone: "Europe/Berlin", events: [call, fair, late] }),
    ).toEqual([
      "3 events (times in Europe/Berlin):",
      "  2027-03-30 09:00 to 09:45 (UTC+02:00)  Call",
      "  2027-04-01 to 2027-04-02  Fair",
      "  2027-10-30 23:30 (UTC+02:00) to 2027-10-31 03:00 (UTC+01:00)  Late",
    ]);
    expect(
      renderEvent({
        ...call,
        start: "2027-03-30T07:00:00Z",
        end: "2027-03-30T07:45:00Z",
        status: "confirmed",
      }),
    ).toEqual(["Event: 2027-03-30 07:00 to 07:45 (UTC)  Call"]);
  });
});
