import type { JsonValue, ToolEnd } from "@bron/protocol";
import { expect, test } from "vitest";
import { describeStep } from "./step-words.ts";

const end = (name: string, more: Partial<ToolEnd> = {}): ToolEnd => ({
  phase: "end",
  actionId: "a",
  name,
  outcome: "completed",
  ...more,
});

test.each<[ToolEnd, JsonValue, string]>([
  [end("gmail_search"), { query: "-from:me has:attachment" }, "Searched your email"],
  [
    end("gmail_draft_create"),
    { to: ["jonas@x.example", "eva@x.example"], subject: "S" },
    "Saved a draft: jonas@x.example and 1 more",
  ],
  [end("document_read"), { digest: "sha256:ab", name: "a.pdf" }, "Read a document: a.pdf"],
  [end("calculator", { output: { result: 42 } }), { expression: "6*7" }, "Calculated: 6*7 = 42"],
  [end("crm_note_add"), { note: "x" }, "Crm note add"],
  [end("slack_read"), { channel: "a\nb\u001B[2J" }, "Read Slack: a b\\u{1b}[2J"],
])("a step is told in words: %j", (call, input, line) => {
  expect(describeStep(call, input)).toBe(line);
});

test.each<[Partial<ToolEnd>, string]>([
  [
    { outcome: "failed", error: { code: "tool_failed", message: "Gmail is away." } },
    "Couldn't search your email: Gmail is away.",
  ],
  [
    { outcome: "rejected", error: { code: "denied", message: "no" }, notDone: { cause: "denied" } },
    "Didn't search your email: You declined.",
  ],
] as never)("a step that was not done says why: %j", (more, line) => {
  expect(describeStep(end("gmail_search", more), {})).toBe(line);
});

test("an unknown tool that failed is named", () => {
  const error = { code: "tool_failed", message: "It is away." } as never;
  expect(describeStep(end("crm_note_add", { outcome: "failed", error }), {})).toBe(
    'Couldn\'t do "Crm note add": It is away.',
  );
});
