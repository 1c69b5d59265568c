import { expect, it } from "vitest";
import {
  actionFailureWords,
  describeActionFailure,
  type ActionFailureReason,
} from "./action-failure.ts";
import { notDoneOf } from "./not-done.ts";

it.each<[ActionFailureReason, string]>([
  [{ code: "timed_out", seconds: 30 }, "It did not finish within 30s."],
  [{ code: "tool_does_not_exist", tool: "fly" }, 'There is no tool "fly".'],
  [
    { code: "rules_not_checked", detail: "" },
    "Your rules could not be checked, so nothing was done.",
  ],
  [
    { code: "rules_not_checked", detail: "The rule has no tool." },
    "Your rules could not be checked, so nothing was done. The rule has no tool.",
  ],
])("makes a sentence of %j", (why, sentence) => {
  expect(describeActionFailure({ why, message: "For the model." })).toBe(sentence);
});

it("shows the message of a tool, and takes the words of another language", () => {
  expect(describeActionFailure({ message: "The board is full." })).toBe("The board is full.");
  const words = { ...actionFailureWords, canceled: () => "Translated." };
  expect(describeActionFailure({ why: { code: "canceled" } }, words)).toBe("Translated.");
});

it("gives people the reason of an error, and the message only if there is no reason", () => {
  const outcome = "failed";
  const error = { code: "tool_timeout", message: "For the model." } as const;
  const why = { code: "timed_out", seconds: 1 } as const;
  expect(notDoneOf({ outcome, error: { ...error, why } })).toEqual({ cause: "failed", why });
  expect(notDoneOf({ outcome, error })).toEqual({ cause: "failed", message: "For the model." });
});
