import { describe, expect, it } from "vitest";
import { changesOf, inOrder, toText } from "./edited-fields.ts";

const event = {
  end: "2031-05-05T10:00:00+02:00",
  start: "2031-05-05T09:00:00+02:00",
  guests: ["eva@x.example"],
  summary: "Call",
  location: "",
  description: "",
};
const typed = Object.fromEntries(
  Object.entries(event).map(([field, value]) => [field, toText(value)]),
);

describe("the fields of an approval in a form", () => {
  it("BR2 are sorted in reading order", () => {
    expect(inOrder(event).map(([field]) => field)).toEqual([
      "summary",
      "start",
      "end",
      "location",
      "guests",
      "description",
    ]);
    expect(
      inOrder({ bodyText: "", cc: [], color: "", to: [], subject: "", bcc: [] }).map(
        ([field]) => field,
      ),
    ).toEqual(["to", "cc", "bcc", "subject", "bodyText", "color"]);
  });

  it("X1 are sent only if they were changed", () => {
    expect(changesOf(event, { ...typed, summary: "Talk" })).toEqual({ summary: "Talk" });
    expect(changesOf(event, { ...typed, guests: " tom@x.example \n\neva@x.example" })).toEqual({
      guests: ["tom@x.example", "eva@x.example"],
    });
    expect(changesOf(event, { ...typed, end: "2031-05-05T11:00:00+02:00" })).toEqual({
      end: "2031-05-05T11:00:00+02:00",
    });
  });

  it("RT9 include an unchanged end when the start moves, because an omitted end would move too", () => {
    const { end, start } = changesOf(event, {
      ...typed,
      start: "2031-05-05T08:00:00+02:00",
    }) as Record<string, string>;
    expect(start).toBe("2031-05-05T08:00:00+02:00");
    expect(end).not.toBe(event.end);
    expect(Date.parse(end ?? "")).toBe(Date.parse(event.end));
  });
});
