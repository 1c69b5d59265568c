import { expect, test } from "vitest";
import { approvalLine } from "./approval-line.ts";

test.each([
  [
    { to: ["jonas@x.example"], cc: ["eva@x.example"], bcc: [], subject: "Invoice 7" },
    "jonas@x.example and 1 more · Invoice 7",
  ],
  [{ guests: ["eva@x.example"], event: { summary: "Tubes" } }, "eva@x.example · Tubes"],
  [{ guests: [], title: "Standup", event: { summary: "New" } }, "Standup"],
  [{ channel: { name: "orders" }, person: null, shown: "Hi" }, "#orders · Post to #orders"],
  [{ board: "team", line: "Lunch" }, "Post to #orders"],
  ["text", "Post to #orders"],
])("the line of %j begins with who gets it", (prepared, line) => {
  expect(approvalLine({ prepared, preview: "\nPost to #orders\nHi" })).toBe(line);
});

test("what others wrote cannot break the line", () => {
  expect(approvalLine({ prepared: { subject: "a\nb\u001B[2J" }, preview: "" })).toBe(
    "a b\\u{1b}[2J",
  );
});
