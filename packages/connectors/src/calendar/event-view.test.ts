import { describe, expect, it } from "vitest";
import { toEventView } from "./event-view.ts";

describe("the model's view of an event", () => {
  it("RT9 lists neither the owner nor rooms as guests", () => {
    const { guests } = toEventView({
      attendees: [
        { email: "mara@x.example", self: true },
        { email: "room@x.example", resource: true },
        { email: "eva@x.example", displayName: "Eva", responseStatus: "accepted" },
        { email: "tom@x.example" },
      ],
    });
    expect(guests).toEqual([
      { email: "eva@x.example", name: "Eva", response: "accepted" },
      { email: "tom@x.example", name: "", response: "needsAction" },
    ]);
  });

  it("RT9 ends on its last day and says what was truncated", () => {
    expect(
      toEventView({
        start: { date: "2031-05-05" },
        end: { date: "2031-05-07" },
        description: "x".repeat(5_000),
      }),
    ).toMatchObject({
      start: "2031-05-05",
      end: "2031-05-06",
      allDay: true,
      summary: "(no title)",
      description: expect.stringMatching(/^x{4000}… \(truncated: 5000 characters in total\)$/),
    });
    expect(
      toEventView({
        start: { dateTime: "2031-05-05T09:00:00+02:00" },
        end: { dateTime: "2031-05-05T10:00:00+02:00" },
      }),
    ).toMatchObject({ allDay: false, end: "2031-05-05T10:00:00+02:00" });
  });
});
