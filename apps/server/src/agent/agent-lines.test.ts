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

it("RT5 says each word once, whether it was seen while it was said or only in the log", () => {
  const { ofAnswer, ofEvent } = createAgentLines("t");
  expect(
    textOf([
      ...ofAnswer({ step: 1, attempt: 1, text: "Hello" }),
      ...ofAnswer({ step: 1, attempt: 1, text: "Hello the" }),
      ...ofAnswer({ step: 1, attempt: 1, text: "Hello" }),
      ...ofEvent(message(1, "Hello there.")),
      ...ofEvent(message(2, "Next.")),
    ]),
  ).toBe("Hello there.Next.");
});

it("RT5 does not repeat an attempt that goes on as the one before it, and gives one in other words once it is whole", () => {
  const same = createAgentLines("t");
  expect(
    textOf([
      ...same.ofAnswer({ step: 1, attempt: 1, text: "It is" }),
      ...same.ofAnswer({ step: 1, attempt: 2, text: "It" }),
      ...same.ofAnswer({ step: 1, attempt: 2, text: "It is done" }),
      ...same.ofEvent(message(1, "It is done.")),
    ]),
  ).toBe("It is done.");
  const other = createAgentLines("t");
  expect(
    textOf([
      ...other.ofAnswer({ step: 1, attempt: 1, text: "It is" }),
      ...other.ofAnswer({ step: 1, attempt: 2, text: "There you" }),
      ...other.ofEvent(message(1, "There you are.")),
    ]),
  ).toBe("It is\n\nThere you are.");
});
