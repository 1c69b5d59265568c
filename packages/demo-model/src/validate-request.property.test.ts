import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { modelTurn, replacePart, responsesTo, user } from "./history.fixture.ts";
import { validateRequest } from "./validate-request.ts";
import type { Content, Part } from "./wire.ts";

const call = fc.record({
  name: fc.constantFrom("calculator", "clock", "notes_write", "post_note"),
  args: fc.dictionary(fc.string(), fc.jsonValue()),
});
const step = fc.record({
  thought: fc.string({ maxLength: 60 }),
  text: fc.string({ maxLength: 60 }),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  result: fc.jsonValue(),
});
const task = fc.record({
  words: fc.string({ minLength: 1 }),
  steps: fc.array(step, { maxLength: 4 }),
  message: fc.string({ minLength: 1, maxLength: 90 }),
});

/** A history as an agent loop sends it: finished tasks, then one in progress. */
const conversation = fc
  .record({ before: fc.array(task, { maxLength: 2 }), now: task })
  .map(({ before, now }): readonly Content[] => [
    ...before.flatMap((past) => [...exchange(past), modelTurn({ text: past.message })]),
    ...exchange(now),
  ]);

function exchange({
  words,
  steps,
}: {
  words: string;
  steps: readonly {
    thought: string;
    text: string;
    calls: { name: string; args: Record<string, unknown> }[];
    result: unknown;
  }[];
}): readonly Content[] {
  return [
    user(words),
    ...steps.flatMap(({ result, ...message }) => {
      const turn = modelTurn(message);
      return [turn, responsesTo(turn, result)];
    }),
  ];
}

/** Passes the value through JSON, as on the wire. */
function passes(contents: readonly Content[]): boolean {
  return "request" in validateRequest(JSON.parse(JSON.stringify({ contents })));
}

function places(
  contents: readonly Content[],
  wanted: (part: Part) => boolean,
): readonly (readonly [content: number, part: number])[] {
  return contents.flatMap(({ parts }, content) =>
    parts.flatMap((part, index) => (wanted(part) ? [[content, index] as const] : [])),
  );
}

const isResponse = (part: Part) => part.functionResponse !== undefined;
const isSignedCall = (part: Part) =>
  part.functionCall !== undefined && part.thoughtSignature !== undefined;

test("accepts every history that an agent loop can produce", () => {
  fc.assert(fc.property(conversation, (contents) => passes(contents)));
});

test.each<{
  readonly name: string;
  readonly at: (part: Part) => boolean;
  readonly change: (part: Part) => readonly Part[];
}>([
  { name: "a response removed", at: isResponse, change: () => [] },
  { name: "a response doubled", at: isResponse, change: (part) => [part, part] },
  {
    name: "a signature dropped",
    at: isSignedCall,
    change: (part) => [
      Object.fromEntries(Object.entries(part).filter(([field]) => field !== "thoughtSignature")),
    ],
  },
  {
    name: "a signature altered",
    at: isSignedCall,
    change: (part) => [{ ...part, thoughtSignature: `${part.thoughtSignature?.slice(0, -4)}AAAA` }],
  },
  {
    name: "a signature replaced by the skip word",
    at: isSignedCall,
    change: (part) => [{ ...part, thoughtSignature: "skip_thought_signature_validator" }],
  },
  { name: "a call removed", at: (part) => part.functionCall !== undefined, change: () => [] },
])("rejects a history with $name", ({ at, change }) => {
  fc.assert(
    fc.property(conversation, fc.nat(), (contents, seed) => {
      const found = places(contents, at);
      fc.pre(found.length > 0);
      const [content, part] = found[seed % found.length] ?? [0, 0];
      const changed = replacePart(
        contents,
        content,
        part,
        change(contents[content]?.parts[part] ?? {}),
      );
      expect(passes(contents)).toBe(true);
      return !passes(changed);
    }),
    { numRuns: sampleCount(50) },
  );
});

test("rejects a history with two swapped responses", () => {
  fc.assert(
    fc.property(conversation, fc.nat(), (contents, seed) => {
      const found = contents.flatMap(({ parts }, index) =>
        parts.filter(isResponse).length > 1 ? [index] : [],
      );
      fc.pre(found.length > 0);
      const index = found[seed % found.length] ?? 0;
      const [first = {}, second = {}, ...rest] = contents[index]?.parts ?? [];
      return !passes(contents.with(index, { role: "user", parts: [second, first, ...rest] }));
    }),
    { numRuns: sampleCount(50) },
  );
});
