import type { EventView } from "@bron/protocol";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { createTextPrinter } from "../run-printer.ts";
import { createEventDescriber } from "./event-line.ts";

const runId = "0a5e20b5-0000-4000-8000-000000000000";
const message = (payload: object): EventView => ({
  runId,
  seq: 2,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "message",
  payload: { role: "user", content: "Sum it up\n> a\n> b", ...payload },
});
const split = {
  words: "Sum it up",
  apart: [
    { text: "> a\n> b", from: "words" as const, digest: "d1" },
    { text: "a mail", from: "context" as const, digest: "d2" },
  ],
};

it.each([
  [{ split }, "You: Sum it up [treated as someone else's text: 2 lines] [context: 1 line]"],
  [{ program: "CI\u0007" }, 'Program "CI\\u{7}" (not your words): Sum it up > a > b'],
  [{ asTyped: true }, "You (these are your words): Sum it up > a > b"],
  [{ from: "parent" }, "Parent run: Sum it up > a > b"],
])("X3 the timeline says whose words a task is: %j", (payload, line) => {
  expect(createEventDescriber()(message(payload))).toBe(line);
});

it("X3 the start of a task says what was taken out of the words, and how to put it back", () => {
  const terminal = createFakeTerminal();
  const printer = createTextPrinter(terminal);
  printer.event(message({ split }));
  expect(terminal.shown()).toBe(
    "  Treated as someone else's text: 2 lines\n  If it is your own text: bron runs put-back 0a5e20b5\n",
  );
  const quiet = createFakeTerminal();
  createTextPrinter(quiet).event(message({ split: { ...split, apart: split.apart.slice(1) } }));
  expect(quiet.shown()).toBe("");
});
