import { expect, test } from "vitest";
import { splitTail, tokensOf } from "./context-budget.ts";

const message = (id: number, content = "a".repeat(30)) =>
  ({ id: String(id), role: "user", content, trusted: true }) as const;
const messages = Array.from({ length: 30 }, (_, index) => message(index + 1));
const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => Number(id));

test("BR15 shows all messages that fit", () => {
  expect(splitTail(messages, { messages: 30, tokens: 300 })).toEqual({
    shown: messages,
    toSummarize: [],
  });
});

test("BR15 summarizes more than what falls out, so that the next tasks need no summary", () => {
  const limits = { messages: 30, tokens: 10_000 };
  const more = (count: number) => [
    ...messages,
    ...Array.from({ length: count }, (_, index) => message(31 + index)),
  ];
  const first = splitTail(more(1), limits);
  expect(ids(first.shown)).toEqual(Array.from({ length: 30 }, (_, index) => index + 2));
  expect(ids(first.toSummarize)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  expect(splitTail(more(11), limits, "11").toSummarize).toEqual([]);
  expect(ids(splitTail(more(12), limits, "11").toSummarize)).toEqual(
    Array.from({ length: 11 }, (_, index) => index + 12),
  );
});

test("BR15 shows no more tokens than there is room for", () => {
  const { shown, toSummarize } = splitTail(messages, { messages: 30, tokens: 100 });
  expect(ids(shown)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  expect(ids(toSummarize)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
});

test("BR15 cuts a newest message that is longer than all of the room", () => {
  const long = message(2, "ä".repeat(5_000));
  const { shown, toSummarize } = splitTail([message(1), long], { messages: 30, tokens: 900 });
  expect(shown).toHaveLength(1);
  expect(tokensOf(shown[0]!.content)).toBeLessThanOrEqual(900);
  expect(shown[0]!.content).toMatch(/ä\n\[…\]$/);
  expect(ids(toSummarize)).toEqual([1]);
});

test("BR15 shows nothing if there is no room or no tail", () => {
  for (const limits of [
    { messages: 0, tokens: 1_000 },
    { messages: 30, tokens: -5 },
  ])
    expect(splitTail(messages, limits)).toEqual({
      shown: [],
      toSummarize: messages,
    });
});
