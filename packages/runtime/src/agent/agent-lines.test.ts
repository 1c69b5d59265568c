import type { RunEvent } from "@bron/protocol";
import { expect, it } from "vitest";
import { createAgentLines } from "./agent-lines.ts";

const message = (step: number, content: string): RunEvent => ({
  runId: "r",
  seq: 1,
  createdAt: "2026-11-15T12:00:00.000Z",
  type: "message",
  payload: { role: "assistant", content, step, final: true, parts: [] },
});
const textOf = (lines: readonly { type: string; delta?: string }[]) =>
  lines.map(({ delta = "" }) => delta).join("");

it("RT5 sends each text once, whether it comes from partial texts or only from the log", () => {
  const { fromPartialText, fromEvent } = createAgentLines("t");
  expect(
    textOf([
      ...fromPartialText({ step: 1, attempt: 1, text: "Hello" }),
      ...fromPartialText({ step: 1, attempt: 1, text: "Hello the" }),
      ...fromPartialText({ step: 1, attempt: 1, text: "Hello" }),
      ...fromEvent(message(1, "Hello there.")),
      ...fromEvent(message(2, "Next.")),
    ]),
  ).toBe("Hello there.Next.");
});

it("RT5 continues an attempt that repeats the previous text, and sends a different text once it is complete", () => {
  const same = createAgentLines("t");
  expect(
    textOf([
      ...same.fromPartialText({ step: 1, attempt: 1, text: "It is" }),
      ...same.fromPartialText({ step: 1, attempt: 2, text: "It" }),
      ...same.fromPartialText({ step: 1, attempt: 2, text: "It is done" }),
      ...same.fromEvent(message(1, "It is done.")),
    ]),
  ).toBe("It is done.");
  const other = createAgentLines("t");
  expect(
    textOf([
      ...other.fromPartialText({ step: 1, attempt: 1, text: "It is" }),
      ...other.fromPartialText({ step: 1, attempt: 2, text: "There you" }),
      ...other.fromEvent(message(1, "There you are.")),
    ]),
  ).toBe("It is\n\nThere you are.");
});

it("RT5 sends each thought once, also after some were dropped", () => {
  const lines = createAgentLines("thread");
  const think = (from: number, text: string, attempt = 1) =>
    lines
      .fromPartialText({ step: 1, attempt, text: "", thoughts: { from, text } })
      .map((line) => ("delta" in line ? line.delta : line.type));
  expect(think(0, "I ")).toEqual(["I "]);
  expect(think(0, "I see")).toEqual(["see"]);
  expect(think(0, "I ")).toEqual([]);
  expect(think(2, "see it")).toEqual([" it"]);
  expect(think(20, "later")).toEqual(["later"]);
  expect(think(0, "Again", 2)).toEqual(["Again"]);
  expect(think(0, "late of attempt 1")).toEqual([]);
});
