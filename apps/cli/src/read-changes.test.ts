import { describe, expect, test } from "vitest";
import { readChanges } from "./read-changes.ts";

const approval = { editable: { to: ["eva@x.example"], cc: [], subject: "On Monday" } };

describe("readChanges", () => {
  test("takes every value for a list, and one for a text", () => {
    expect(
      readChanges(approval, ["to=a@x.example", "to=B <b@x.example>", "subject=a = b"]),
    ).toEqual({ to: ["a@x.example", "B <b@x.example>"], subject: "a = b" });
  });

  test("empties a list or a text by an empty value", () => {
    expect(readChanges(approval, ["cc=", "subject="])).toEqual({ cc: [], subject: "" });
  });

  test.each([[["subject"]], [["=x"]], [["subject=a", "subject=b"]], [[]]])(
    "says in words what it cannot read: %j",
    (set) => {
      expect(() => readChanges(approval, set)).toThrow(/field=value|one value/);
    },
  );
});
