import { sampleCount, threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createTestSimulator } from "../agent-loop.fixture.ts";
import type { ToolResult } from "../conversation.ts";
import type { FunctionDeclaration, JsonObject } from "../wire.ts";
import { planResponse } from "./planner.ts";
import { understand } from "./understand.ts";

const declarations: readonly FunctionDeclaration[] = createTestSimulator().tools.map(
  ({ declaration: { name, inputSchema } }) => ({
    name,
    parametersJsonSchema: inputSchema as JsonObject,
  }),
);

const clause = fc.constantFrom(
  "calculate 6*7",
  "add 5",
  "what time is it in Rome",
  "what time is it in Tokyo and in Paris",
  "save it as a note called A",
  "write a note titled B: milk, eggs",
  "read my A note",
  "list my notes",
  "post it to the office board",
  "post 'hello' to the office board",
  "book me a flight",
);
const task = fc
  .array(fc.tuple(clause, fc.constantFrom("; ", ". ", ", then ", " and then ", "\n")), {
    minLength: 1,
    maxLength: 7,
  })
  .map((parts) => parts.flat().join(""));

const response = fc.constantFrom<JsonObject>(
  { content: "42" },
  { content: { result: 42 } },
  { error: "The disk is full" },
  { error: "Rejected by the user" },
  { error: { code: "effect_unknown", message: "cut" } },
  { content: null },
);

test("for any tool results, calls every step at most once and ends", () => {
  fc.assert(
    fc.property(task, fc.array(response, { minLength: 20, maxLength: 20 }), (words, responses) => {
      const results: ToolResult[] = [];
      const most = understand(words, false).length;
      for (let turn = 0; turn <= most; turn += 1) {
        const { calls = [], text } = planResponse(
          { system: "", task: words, results, earlierResults: [], earlierMessages: [], turn },
          declarations,
          true,
        );
        if (calls.length === 0) {
          expect(text).not.toBe("");
          return results.length <= most;
        }
        for (const { name, args } of calls)
          results.push({
            name,
            args,
            response: responses[results.length % responses.length] ?? {},
          });
      }
      return false;
    }),
  );
});

test("claims no success when nothing succeeded", () => {
  fc.assert(
    fc.property(
      task,
      fc.constantFrom<JsonObject>(
        { error: "The disk is full" },
        { error: "Rejected by the user" },
        { error: { code: "effect_unknown", message: "cut" } },
      ),
      (words, bad) => {
        const results: ToolResult[] = [];
        for (;;) {
          const { calls = [], text = "" } = planResponse(
            { system: "", task: words, results, earlierResults: [], earlierMessages: [], turn: 0 },
            declarations,
            true,
          );
          if (calls.length === 0)
            return !/ = |I wrote|I posted|says:|You have| it is \d/.test(text);
          for (const { name, args } of calls) results.push({ name, args, response: bad });
        }
      },
    ),
  );
});

test("responds to any text", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      ..."write note titled : , and then it read my post to the board what is 1 + * ( ' \" % of time in Tokyo save as".split(
        " ",
      ),
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => {
      const { calls = [], text = "" } = planResponse(
        {
          system: "",
          task: words.join(" "),
          results: [],
          earlierResults: [],
          earlierMessages: [],
          turn: 0,
        },
        declarations,
        true,
      );
      return calls.length > 0 || text !== "";
    }),
    { numRuns: sampleCount(300) },
  );
});

test("never treats quoted words as commands", () => {
  fc.assert(
    fc.property(task, (words) => {
      const quoted = words.replaceAll("'", "").replaceAll("\n", " ");
      const steps = understand(`post "${quoted}" to the office board`, false).map(
        ({ step }) => step,
      );
      expect(steps).toEqual([{ kind: "post", board: "office", text: quoted }]);
    }),
  );
});

test("answers a task of any length in under two seconds of CPU", () => {
  for (const text of [
    ", a".repeat(50_000),
    "write a note titled X: a, ".repeat(80),
    "1 + ".repeat(499),
  ])
    expect(threadCpuMs(() => understand(text, false))).toBeLessThan(2_000);
});
