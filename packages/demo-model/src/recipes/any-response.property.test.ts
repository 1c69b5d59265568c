import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolResult } from "../conversation.ts";
import { isObject, type JsonObject } from "../wire.ts";
import { plan } from "./conversation.fixture.ts";
import { recipes } from "./recipes.ts";
import { createTestSimulator } from "./agent-loop.fixture.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";

const small = createTestSimulator().tools.map(({ declaration: { name, inputSchema } }) => ({
  name,
  parametersJsonSchema: inputSchema as JsonObject,
}));
const childRuns = ["spawn_bron", "await_bron"].map((name) => ({
  name,
  parametersJsonSchema: { properties: { title: {}, prompt: {}, runId: {} } },
}));
const declarations = [...createWorkspaceHarness().declarations, ...small, ...childRuns];

const tasks = fc.constantFrom(...recipes.flatMap(({ examples }) => examples));
const systems = fc.constantFrom(
  "",
  "Today is Sunday, 2026-11-15 (UTC)",
  "Today is Nonday, 2026-99-99",
);
const attachedFiles = [{ name: "a.pdf", mediaType: "application/pdf", digest: "sha256:x" }];
const bad = fc.constantFrom<JsonObject>(
  { error: "tool_failed: The disk is full" },
  { error: "The user declined." },
  { error: "The user answered: to priya@x.example on Friday at 16:00" },
  { error: "effect_unknown: cut" },
);
const event = fc.record({
  eventId: fc.constantFrom("a", "b", ""),
  seriesId: fc.constantFrom("", "s"),
  summary: fc.constantFrom("1:1 Jonas", "Supplier call", "", "x"),
  start: fc.constantFrom("2026-11-17T10:00:00+01:00", "2026-11-17", "2026-99-99", "soon", ""),
  end: fc.constantFrom("2026-11-17T11:00:00+01:00", "2026-11-17", "2026-11-16T09:00:00+01:00", ""),
  allDay: fc.boolean(),
});
const message = fc.record({
  messageId: fc.constantFrom("m", ""),
  threadId: fc.constant("t"),
  from: fc.constant("Eva <e@x.example>"),
  subject: fc.constant("Invoice"),
  date: fc.constantFrom("2026-11-01", "soon"),
  attachments: fc.constantFrom([], ["a.pdf"], [{ filename: "a.pdf", attachmentId: "a" }]),
  ts: fc.constantFrom("1", "2", ""),
  at: fc.constantFrom("2026-11-12T09:00:00Z", ""),
  who: fc.constantFrom("Eva", ""),
  text: fc.constantFrom("Agreed.", "Why?", "", "x. y? z", "When: 17 November 2026 10:00"),
  replies: fc.constantFrom(0, 3, -1),
});
const anyResponse = fc.oneof(
  bad,
  fc
    .record({
      timeZone: fc.constantFrom("Europe/Berlin", ""),
      more: fc.boolean(),
      events: fc.array(event, { maxLength: 4 }),
      matches: fc.array(message, { maxLength: 3 }),
      messages: fc.array(message, { maxLength: 4 }),
      nextCursor: fc.constantFrom("", "next"),
      text: fc.constantFrom("a\tb\nc\t5 EUR", "", "Total: EUR 5.00"),
      attachments: fc.constantFrom([{ filename: "a.pdf", attachmentId: "a" }], []),
      digest: fc.constant("sha256:x"),
      draftId: fc.constant("d"),
      runId: fc.constantFrom("r", ""),
    })
    .map((content): JsonObject => ({ content })),
  fc.jsonValue().map((content): JsonObject => ({ content })),
);

/** Calls that the owner answered with changes may be made again. */
const isReplied = ({ response }: ToolResult) =>
  String(response["error"]).startsWith("The user answered");

/** Two child runs never have the same id. */
function withOwnRunId(response: JsonObject, index: number): JsonObject {
  const { content } = response;
  if (!isObject(content) || content["runId"] !== "r") return response;
  return { ...response, content: { ...content, runId: `r${index}` } };
}

test("for any tool results, ends soon with a message and never repeats a change", () => {
  fc.assert(
    fc.property(
      tasks,
      systems,
      fc.array(anyResponse, { minLength: 16, maxLength: 16 }),
      (task, system, responses) => {
        const results: ToolResult[] = [];
        for (let turn = 0; turn < 40; turn += 1) {
          const { calls = [], text = "" } = plan(
            { task, results, system, attachedFiles },
            declarations,
          );
          if (calls.length === 0) return text !== "";
          expect(new Set(calls.map((call) => JSON.stringify(call))).size, task).toBe(calls.length);
          const before = [...results];
          for (const { name, args } of calls) {
            if (/_send$|reply|event_create|event_update|post_note|notes_write/.test(name))
              expect(
                before.filter((one) => one.name === name && !isReplied(one)),
                task,
              ).toEqual([]);
            // The owner replies to the first approvals only.
            const response = responses[results.length] ?? { error: "tool_failed: no" };
            results.push({ name, args, response: withOwnRunId(response, results.length) });
          }
        }
        return false;
      },
    ),
    { numRuns: sampleCount(1_000) },
  );
});

const found: JsonObject = {
  content: {
    events: [
      {
        eventId: "e",
        summary: "1:1 Jonas, supplier call",
        start: "2026-11-17T10:00:00+01:00",
        end: "2026-11-17T10:30:00+01:00",
      },
    ],
    matches: [
      {
        messageId: "m",
        threadId: "t",
        from: "Eva <e@x.example>",
        subject: "Invoice",
        attachments: ["a.pdf"],
      },
    ],
    messages: [{ ts: "1", at: "2026-11-12T09:00:00Z", who: "Eva", text: "Agreed.", replies: 0 }],
    attachments: [{ filename: "a.pdf", attachmentId: "a" }],
    digest: "sha256:x",
    text: "Price\t5 EUR\nTotal: EUR 5.00",
  },
};

test("never claims a change or send that did not happen", () => {
  fc.assert(
    fc.property(tasks, bad, (task, outcome) => {
      const results: ToolResult[] = [];
      for (let turn = 0; turn < 40; turn += 1) {
        const { calls = [], text = "" } = plan({ task, results, attachedFiles }, declarations);
        if (calls.length === 0)
          return !/^(?:Added|Moved|Renamed|Updated|Sent|Replied|Saved|I wrote|I posted) /m.test(
            text,
          );
        for (const { name, args } of calls) {
          const isRead = /search|_read$|fetch|channels|attachment|fields/.test(name);
          const isRepeated = results.some((one) => one.name === name && isReplied(one));
          const response = isRead ? found : isRepeated ? { error: "The user declined." } : outcome;
          results.push({ name, args, response });
        }
      }
      return false;
    }),
    { numRuns: sampleCount(300) },
  );
});
