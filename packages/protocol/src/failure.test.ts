import { expect, it } from "vitest";
import { describeFailure, failureWords, type Failure } from "./failure.ts";

it.each<[Failure, string]>([
  [
    { code: "cap_time", why: { code: "time_limit", minutes: 8 } },
    "Stopped after 8 minutes, the time limit for one task.",
  ],
  [
    {
      code: "cap_tool_calls",
      why: { code: "group_call_limit", asked: 9, limit: 8, group: "gmail" },
    },
    "The model asked for 9 gmail calls. The limit for one task is 8.",
  ],
  [
    { code: "budget_exhausted", why: { code: "task_budget", limitMicrousd: 1_500 } },
    "The next model call could exceed this task's limit of $0.001500.",
  ],
  [
    {
      code: "model_unavailable",
      why: { code: "provider_error", status: 503, detail: "overloaded" },
    },
    "The model's provider returned 503: overloaded",
  ],
  [
    {
      code: "model_response_too_long",
      why: { code: "response_too_long", model: "gemini", limit: 1000 },
    },
    "gemini wrote more than 1000 characters, so Bron stopped it.",
  ],
  [{ code: "cap_time", message: "It worked for 8 minutes." }, "It worked for 8 minutes."],
  [{ code: "internal" }, ""],
])("makes a sentence of %j", (failure, sentence) => {
  expect(describeFailure(failure)).toBe(sentence);
});

it("takes the words of another language", () => {
  const words = { ...failureWords, owner_budget: () => "Translated." };
  expect(describeFailure({ why: { code: "owner_budget" } }, words)).toBe("Translated.");
});
