import { expect, it } from "vitest";
import { describeBackground } from "./background.ts";

it("prints what clashes with an event, and the next free time", () => {
  expect(
    describeBackground({
      kind: "schedule",
      timeZone: "Europe/Berlin",
      events: [
        { title: "Fair", start: "2026-11-19", end: "2026-11-19", clashes: false },
        {
          title: "Paint \u202esamples",
          start: "2026-11-19T14:30:00+01:00",
          end: "2026-11-19T15:30:00+01:00",
          clashes: true,
        },
      ],
      nextFree: { start: "2026-11-19T15:30:00+01:00", end: "2026-11-19T16:00:00+01:00" },
    }),
  ).toEqual([
    "",
    "Your calendar that day (Europe/Berlin):",
    "  all day  Fair",
    "  14:30-15:30  Paint \\u{202e}samples  ! overlaps",
    "Next free: 15:30-16:00",
  ]);
});

it("quotes the email that is answered", () => {
  expect(
    describeBackground({
      kind: "answered_email",
      from: "Eva <eva@x.example>",
      date: "Mon, 16 Nov 2026 09:00:00 +0100",
      subject: "Samples",
      text: "Hello,\nare they ready?",
      isShortened: true,
    }),
  ).toEqual([
    "",
    "In reply to Eva <eva@x.example>, Mon, 16 Nov 2026 09:00:00 +0100: Samples",
    "  > Hello,\n  > are they ready? …",
  ]);
  expect(describeBackground(null)).toEqual([]);
});
