import { sampleCount, threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolResult } from "../conversation.ts";
import { planResponse } from "../planner/planner.ts";
import { generatedDocument } from "../reading/generated-document.fixture.ts";
import type { JsonObject } from "../wire.ts";
import { createMailHarness, type MailHarness } from "./mail-harness.fixture.ts";
import { understandMail } from "./understand-mail.ts";

const ask = (
  task: string,
  results: readonly ToolResult[],
  { declarations }: Pick<MailHarness, "declarations">,
) =>
  planResponse(
    { system: "", task, results, earlierResults: [], earlierMessages: [], turn: results.length },
    declarations,
    true,
  );

/** Runs a task to its end against a simulated mailbox. */
function run(task: string, simulator: MailHarness): string {
  const results: ToolResult[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const { calls = [], text = "" } = ask(task, results, simulator);
    if (calls.length === 0) return text;
    for (const { name, args } of calls)
      results.push({ name, args, response: simulator.respond(name, args) });
  }
  throw new Error("It did not end.");
}

const tasks = fc.constantFrom(
  "Find the latest invoice from Northwind with an attachment, extract the key fields and send a summary to eva@x.example",
  "Draft an email to eva@x.example with the totals of the last order confirmation",
  "Reply to the last mail from Eva and say yes",
  "What did Eva write about the office move?",
  "How many unread mails do I have?",
  "Search my mail for lunch",
  "Send an email to a@b.example with subject Lunch saying hello",
  "Suche die letzte Rechnung, lies die Felder aus und schicke sie an eva@x.example",
);
const anyResponse = fc.oneof(
  fc.constantFrom<JsonObject>(
    { error: "tool_failed: The disk is full" },
    { error: "Rejected by the user" },
    { error: "effect_unknown: cut" },
    { content: null },
    { content: "ok" },
    { content: {} },
    { content: { matches: [] } },
  ),
  fc.constant<JsonObject>({
    content: {
      matches: [
        {
          messageId: "m",
          threadId: "t",
          from: "Eva <e@x.example>",
          subject: "Invoice",
          date: "2026-11-01",
          snippet: "",
          attachments: ["a.pdf"],
        },
      ],
      draftId: "d",
      digest: "sha256:x",
      text: "Total: EUR 5.00",
      attachments: [{ filename: "a.pdf", mimeType: "application/pdf", attachmentId: "a" }],
    },
  }),
  fc.jsonValue().map((content): JsonObject => ({ content })),
);

test("for any tool results, ends soon with a message and never repeats a draft or send", () => {
  const { declarations } = createMailHarness([]);
  fc.assert(
    fc.property(
      tasks,
      fc.array(anyResponse, { minLength: 16, maxLength: 16 }),
      (task, responses) => {
        const results: ToolResult[] = [];
        for (;;) {
          const { calls = [], text = "" } = ask(task, results, { declarations });
          if (calls.length === 0) return text !== "" && results.length <= 12;
          const [first] = calls;
          if (first === undefined || results.length > 12) return false;
          if (/draft|send|reply/.test(first.name))
            expect(results.filter(({ name }) => name === first.name)).toEqual([]);
          results.push({
            name: first.name,
            args: first.args,
            response: responses[results.length % responses.length] ?? {},
          });
        }
      },
    ),
    { numRuns: sampleCount(300) },
  );
});

test("never claims a send that did not happen", () => {
  const { declarations } = createMailHarness([]);
  fc.assert(
    fc.property(
      tasks,
      fc.constantFrom<JsonObject>(
        { error: "tool_failed: no" },
        { error: "Rejected by the user" },
        { error: "effect_unknown: cut" },
      ),
      (task, bad) => {
        const results: ToolResult[] = [];
        for (;;) {
          const { calls = [], text = "" } = ask(task, results, { declarations });
          if (calls.length === 0) return !/^Sent |^Replied |gesendet\.|^Saved a draft/m.test(text);
          for (const { name, args } of calls) results.push({ name, args, response: bad });
        }
      },
    ),
  );
});

test("summarizes an unseen document with its own values", () => {
  const asked = fc.sample(generatedDocument, { numRuns: sampleCount(100), seed: 20_261_115 });
  const good = asked.filter(({ view, truth }) => {
    const simulator = createMailHarness([
      {
        from: "Somebody <who@some.example>",
        subject: "Invoice and order confirmation",
        text: "See attached.",
        daysOld: 3,
        files: [
          {
            filename: "paper.pdf",
            mimeType: "application/pdf",
            content: {
              kind: "pdf",
              pages: [{ number: 1, text: view.text }],
              truncated: false,
              warnings: [],
            },
          },
        ],
      },
    ]);
    run(
      "Find the latest invoice with a PDF from the last 30 days, extract the key fields and send a summary to eva@x.example",
      simulator,
    );
    const [sent] = simulator.sent;
    const fields = simulator.calls.find(({ name }) => name === "document_fields")?.args["fields"];
    const flat = (text: string) => text.replace(/\s+/g, " ");
    expect(sent?.to).toEqual(["eva@x.example"]);
    for (const { value } of fields as readonly { value: string }[])
      expect(flat(view.text)).toContain(value);
    return (
      Object.values(truth).filter((value) => flat(sent?.bodyText ?? "").includes(flat(value)))
        .length >= 5
    );
  });
  expect(good.length / asked.length).toBeGreaterThanOrEqual(0.95);
});

test("parses a task of any length in under a second of CPU", () => {
  const texts = [
    "from ".repeat(400),
    "send mail to a@b.c ".repeat(105),
    "invoice from A, ".repeat(120),
    "and say ".repeat(240),
    "de la part de ".repeat(140),
    "a@".repeat(990),
    "last 30 days ".repeat(150),
    '"'.repeat(1_900),
    ", ".repeat(990),
    "what did Eva write about ".repeat(78),
    "mail ".repeat(30_000),
  ];
  for (const text of texts)
    expect(
      threadCpuMs(() => understandMail(text)),
      text.slice(0, 20),
    ).toBeLessThan(1_000);
});
