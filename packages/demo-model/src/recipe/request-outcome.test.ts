import { describe, expect, it } from "vitest";
import { plan } from "../recipes/conversation.fixture.ts";
import type { FunctionDeclaration } from "../wire.ts";
import { combineOutcomes, type RequestOutcome } from "./request-outcome.ts";

const reportOutcome: FunctionDeclaration = {
  name: "report_outcome",
  parametersJsonSchema: {
    type: "object",
    properties: { outcome: { type: "string" } },
    required: ["outcome"],
  },
};
const tool = (name: string, ...properties: string[]): FunctionDeclaration => ({
  name,
  parametersJsonSchema: {
    type: "object",
    properties: Object.fromEntries(properties.map((key) => [key, { type: "string" }])),
  },
});
const declarations = [
  reportOutcome,
  tool("clock", "timezone"),
  tool("gmail_draft_create", "to", "subject", "bodyText"),
  tool("gmail_draft_send", "draftId"),
  tool("slack_read", "channel"),
];
const clock = { name: "clock", args: {}, response: { content: "09:30" } };
const draft = { name: "gmail_draft_create", args: {}, response: { content: { draftId: "d1" } } };
const error = (name: string, text: string) => ({ name, args: {}, response: { error: text } });
const mail = "Email jonas@lindqvist.example saying Lunch is at noon";

describe("the outcome that the demo model declares", () => {
  it.each<[RequestOutcome, string, Parameters<typeof plan>[0]]>([
    ["done", "the time", { task: "What time is it?", results: [clock] }],
    ["could_not", "a task that it does not know", { task: "Book me a flight to Berlin" }],
    [
      "could_not",
      "a failed call",
      { task: "What time is it?", results: [error("clock", "tool_failed: No clock.")] },
    ],
    ["needs_answer", "a question", { task: "What time is it in Xyzzyville?" }],
    [
      "could_not",
      "a denied email",
      { task: mail, results: [draft, error("gmail_draft_send", "The user declined.")] },
    ],
    [
      "partly_done",
      "one of two requests",
      { task: "What time is it? Book me a flight to Berlin.", results: [clock] },
    ],
    [
      "could_not",
      "words that end the task",
      { task: "What time is it?", laterWords: ["stop"], results: [] },
    ],
  ])("is %s for %s", (outcome, _what, values) => {
    const message = plan(values, declarations);
    expect(message.text).not.toBe("");
    expect(message.calls).toEqual([{ name: "report_outcome", args: { outcome } }]);
  });

  it("is not declared before the task ends, or without the tool", () => {
    expect(plan({ task: "What time is it?" }, declarations).calls).toEqual([
      { name: "clock", args: {} },
    ]);
    const [, ...others] = declarations;
    expect(plan({ task: "What time is it?", results: [clock] }, others).calls).toBeUndefined();
  });

  it("is partly done if only some requests are, and a question comes first", () => {
    expect(combineOutcomes(["done", "done"])).toBe("done");
    expect(combineOutcomes(["could_not", "could_not"])).toBe("could_not");
    expect(combineOutcomes(["done", "could_not"])).toBe("partly_done");
    expect(combineOutcomes(["could_not", "needs_answer"])).toBe("needs_answer");
  });
});
