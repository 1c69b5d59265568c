import { expect, it } from "vitest";
import { BronError } from "../errors.ts";
import { actionError, actionFailure, errorOf } from "./action-error.ts";

const why = { code: "child_run_nested" } as const;
const message = "This subtask is at the deepest level, so it can't start subtasks. Do it here.";

it("gives the model the sentence and the advice, and people the reason", () => {
  expect(actionError("forbidden", why, "Do it here.")).toEqual({ code: "forbidden", message, why });
  expect(errorOf(actionFailure("forbidden", why, { advice: "Do it here." }))).toEqual({
    code: "forbidden",
    message,
    why,
  });
});

it("takes the message of a tool that threw without a known reason", () => {
  const error = { code: "forbidden", message: "Not today." };
  expect(errorOf(new BronError("forbidden", "Not today."))).toEqual(error);
  expect(errorOf(new BronError("forbidden", "Not today.", { details: { why: "mood" } }))).toEqual(
    error,
  );
  expect(errorOf(new TypeError("x is undefined"))).toEqual({
    code: "tool_failed",
    message: "x is undefined",
  });
});
