import { describe, expect, it } from "vitest";
import { toEventView } from "./event-view.ts";

describe("an event as a model sees it", () => {
  it("RT9 has as guests neither the owner nor rooms", () => {
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

  it("RT9 ends on its last day, and says what was cut", () => {
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
      description: expect.stringMatching(/^x{4000}… \(cut: 5000 characters in all\)$/),
    });
    expect(
      toEventView({
        start: { dateTime: "2031-05-05T09:00:00+02:00" },
        end: { dateTime: "2031-05-05T10:00:00+02:00" },
      }),
    ).toMatchObject({ allDay: false, end: "2031-05-05T10:00:00+02:00" });
  });
});
