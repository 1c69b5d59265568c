import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ToolResult } from "../conversation.ts";
import { planResponse } from "../planner/planner.ts";
import type { JsonObject } from "../wire.ts";
import { createWorkspaceHarness } from "./workspace-harness.fixture.ts";

const { declarations } = createWorkspaceHarness();
const ask = (task: string, results: readonly ToolResult[], system: string) =>
  planResponse(
    { system, task, results, earlierResults: [], earlierMessages: [], turn: results.length },
    declarations,
    true,
  );

const tasks = fc.constantFrom(
  "What is on my calendar tomorrow?",
  "Welche Termine habe ich nächste Woche?",
  "When am I free on Thursday afternoon?",
  "Suis-je libre jeudi à 15h ?",
  "Schedule a 30 minute call with jonas@lindqvist.example tomorrow at 10:00 about frame tubes",
  "Move my 1:1 with Jonas to Thursday 15:00",
  "Rename the supplier call to Brandt prices",
  "Add eva@brandt-metall.example to the supplier call",
  "What was decided in #orders this week?",
  "Résume #orders des 7 derniers jours et envoie-le à jonas@lindqvist.example",
  "Which channels are there?",
  "Read https://www.lindqvist.example/ and mail the prices to jonas@lindqvist.example",
  "When is my next 1:1 with Jonas?",
);
const systems = fc.constantFrom(
  "",
  "Today is Sunday, 2026-11-15 (UTC)",
  "Today is Nonday, 2026-99-99",
);
const bad = fc.constantFrom<JsonObject>(
  { error: "tool_failed: The disk is full" },
  { error: "Rejected by the user" },
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
  ts: fc.constantFrom("1", "2", ""),
  at: fc.constantFrom("2026-11-12T09:00:00Z", ""),
  who: fc.constantFrom("Eva", ""),
  text: fc.constantFrom("Agreed.", "Why?", "", "x. y? z"),
  replies: fc.constantFrom(0, 3, -1),
});
const anyResponse = fc.oneof(
  bad,
  fc
    .record({
      from: fc.constantFrom("2026-11-15T00:00:00+01:00", "never"),
      timeZone: fc.constantFrom("Europe/Berlin", ""),
      more: fc.boolean(),
      events: fc.array(event, { maxLength: 4 }),
      messages: fc.array(message, { maxLength: 4 }),
      nextCursor: fc.constantFrom("", "next"),
      text: fc.constantFrom("a\tb\nc\t5 EUR", ""),
      draftId: fc.constant("d"),
    })
    .map((content): JsonObject => ({ content })),
  fc.jsonValue().map((content): JsonObject => ({ content })),
);

test("for any tool results, ends soon with a message and never repeats a change", () => {
  fc.assert(
    fc.property(
      tasks,
      systems,
      fc.array(anyResponse, { minLength: 16, maxLength: 16 }),
      (task, system, answers) => {
        const results: ToolResult[] = [];
        for (;;) {
          const { calls = [], text = "" } = ask(task, results, system);
          if (calls.length === 0) return text !== "" && results.length <= 14;
          const [first] = calls;
          if (first === undefined || results.length > 14) return false;
          if (/draft|send|create|update/.test(first.name))
            expect(results.filter(({ name }) => name === first.name)).toEqual([]);
          results.push({
            name: first.name,
            args: first.args,
            response: answers[results.length % answers.length] ?? {},
          });
        }
      },
    ),
    { numRuns: sampleCount(500) },
  );
});

const found: JsonObject = {
  content: {
    from: "2026-11-15T00:00:00+01:00",
    events: [
      {
        eventId: "e",
        summary: "1:1 Jonas, supplier call",
        start: "2026-11-17T10:00:00+01:00",
        end: "2026-11-17T10:30:00+01:00",
      },
    ],
    messages: [{ ts: "1", at: "2026-11-12T09:00:00Z", who: "Eva", text: "Agreed.", replies: 0 }],
    text: "Price\t5 EUR\nHafen\t5 EUR",
  },
};

test("never claims a change or send that did not happen", () => {
  fc.assert(
    fc.property(tasks, bad, (task, answer) => {
      const results: ToolResult[] = [];
      for (;;) {
        const { calls = [], text = "" } = ask(task, results, "Today is 2026-11-15");
        if (calls.length === 0)
          return !/^Added |^Moved |^Renamed |^Updated |wurde eingetragen|^Sent |J'ai envoyé|J'ai ajouté/m.test(
            text,
          );
        for (const { name, args } of calls)
          results.push({
            name,
            args,
            response: /search|read|fetch|channels/.test(name) ? found : answer,
          });
      }
    }),
  );
});
