import type { Delta, TextDelta } from "@bron/core";
import type { NewEvent, PartialText } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { afterAppend, withDelta } from "./live-text.ts";

const thinks = (delta: string, step = 1, attempt = 1): TextDelta => ({
  runId: "r",
  step,
  attempt,
  kind: "reasoning",
  delta,
});
const writes = (delta: string, step = 1, attempt = 1): Delta => ({
  ...thinks(delta, step, attempt),
  kind: "text",
});
const reports = (actionId: string, message: string): Delta => ({
  runId: "r",
  step: 1,
  kind: "progress",
  actionId,
  message,
});
const after = (...deltas: readonly Delta[]): PartialText | undefined =>
  deltas.reduce<PartialText | undefined>(withDelta, undefined);

describe("what a run streams", () => {
  it("has the thoughts beside the text, and starts again with a new attempt", () => {
    expect(after(thinks("I "), thinks("see."), writes("It"), writes(" is"))).toEqual({
      step: 1,
      attempt: 1,
      text: "It is",
      thoughts: { from: 0, text: "I see." },
    });
    expect(after(thinks("I see."), writes("It"), thinks("Again", 1, 2))).toEqual({
      step: 1,
      attempt: 2,
      text: "",
      thoughts: { from: 0, text: "Again" },
    });
  });

  it("has the end of long thoughts, and says how much was before it", () => {
    const long = after(thinks("a".repeat(15_000)), thinks("b".repeat(15_000)));
    expect(long?.thoughts?.from).toBe(10_000);
    expect(long?.thoughts?.text).toBe("a".repeat(5_000) + "b".repeat(15_000));
  });

  it("has the latest word of each running tool, for a bounded number of them", () => {
    expect(after(reports("a", "1"), reports("b", "1"), reports("a", "2"))?.progress).toEqual([
      { actionId: "b", message: "1" },
      { actionId: "a", message: "2" },
    ]);
    const many = Array.from({ length: 100 }, (_, index) => reports(`a${index}`, "1"));
    expect(after(...many)?.progress).toHaveLength(16);
  });

  it("drops after an append what the log has, and keeps the words of tools that still run", () => {
    const state = after(reports("a", "1"), reports("b", "2")) as PartialText;
    const ended: NewEvent = {
      type: "tool",
      payload: { phase: "end", actionId: "a", name: "read", outcome: "completed" },
    };
    expect(afterAppend(state, [ended])?.progress).toEqual([{ actionId: "b", message: "2" }]);
    expect(
      afterAppend(state, [{ type: "status", payload: { status: "awaiting_auth" } }]),
    ).toBeUndefined();
    expect(afterAppend(after(thinks("x"), writes("y")) as PartialText, [])).toBeUndefined();
  });
});
