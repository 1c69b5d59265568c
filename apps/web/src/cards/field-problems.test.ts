import { describe, expect, it } from "vitest";
import { toText } from "./edited-fields.ts";
import { problemsOf } from "./field-problems.ts";

const mail = { to: ["eva@x.example"], cc: [], bcc: [], subject: "Hello", bodyText: "" };
const event = {
  summary: "Call",
  start: "2031-05-05T09:00:00+02:00",
  end: "2031-05-05T10:00:00+02:00",
  guests: [],
};
const days = { summary: "Fair", start: "2031-05-05", end: "2031-05-06" };
const fieldsIn = (
  editable: Parameters<typeof problemsOf>[0],
  typed: Readonly<Record<string, string>>,
) =>
  Object.keys(
    problemsOf(editable, {
      ...Object.fromEntries(
        Object.entries(editable).map(([field, value]) => [field, toText(value)]),
      ),
      ...typed,
    }),
  );

describe("the validation of an edit form", () => {
  it.each([
    [mail, { subject: "" }],
    [mail, { cc: "Tom Berg <tom@x.example>\n\n ann@mail.x.example " }],
    [mail, { to: "", bcc: "tom@x.example" }],
    [event, { end: "2031-05-05T09:00:01+02:00", guests: "tom@x.example" }],
    [event, { start: "2031-05-05T09:30:00+02:00", end: "2031-05-05T08:00:00Z" }],
    [days, { end: "2031-05-05" }],
  ])("BR2 lets %j with %j pass", (editable, typed) => {
    expect(fieldsIn(editable, typed)).toEqual([]);
  });

  it.each([
    [mail, { cc: "not an address" }, "cc"],
    [mail, { bcc: "tom@x.example, ann@x.example" }, "bcc"],
    [mail, { to: "tom@host" }, "to"],
    [mail, { to: "" }, "to"],
    [event, { end: "2031-05-05T08:00:00+02:00" }, "end"],
    [event, { end: event.start }, "end"],
    [event, { start: "" }, "start"],
    [event, { summary: " " }, "summary"],
    [event, { guests: "Tom" }, "guests"],
    [days, { end: "2031-05-04" }, "end"],
  ])("BR2 X1 stops %j with %j", (editable, typed, field) => {
    expect(fieldsIn(editable, typed)).toEqual([field]);
  });

  it("BR2 ignores problems in unchanged fields", () => {
    expect(fieldsIn({ ...mail, to: ["undisclosed"] }, { subject: "Other" })).toEqual([]);
  });
});
