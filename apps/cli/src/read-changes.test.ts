import { describe, expect, test } from "vitest";
import { readChanges } from "./read-changes.ts";

const approval = { editable: { to: ["eva@x.example"], cc: [], subject: "On Monday" } };

describe("readChanges", () => {
  test("accepts several values for a list, and one for a text", () => {
    expect(
      readChanges(approval, ["to=a@x.example", "to=B <b@x.example>", "subject=a = b"]),
    ).toEqual({ to: ["a@x.example", "B <b@x.example>"], subject: "a = b" });
  });

  test("clears a list or a text with an empty value", () => {
    expect(readChanges(approval, ["cc=", "subject="])).toEqual({ cc: [], subject: "" });
  });

  test.each([[["subject"]], [["=x"]], [["subject=a", "subject=b"]], [[]]])(
    "rejects %j with a message",
    (set) => {
      expect(() => readChanges(approval, set)).toThrow(/field=value|one value/);
    },
  );
});
