import { expect, it } from "vitest";
import { authReasonSchema, describeAuth } from "./auth-reason.ts";
import { describeProblem, problemReasonOf, problemWords } from "./problem-reason.ts";

it("finds the reason of an error, and ignores one that it does not know", () => {
  expect(problemReasonOf({ why: { code: "outcome_known", state: "done" } })).toEqual({
    code: "outcome_known",
    state: "done",
  });
  expect(problemReasonOf({ why: { code: "undo_too_late" } })).toEqual({ code: "undo_too_late" });
  expect(problemReasonOf({ why: { code: "of a newer server" } })).toBeUndefined();
  expect(problemReasonOf({})).toBeUndefined();
});

it("makes a sentence of a reason, in the words of another language too", () => {
  const why = { code: "sign_in_rejected", service: "Google", message: "invalid_grant" } as const;
  expect(describeProblem({ why })).toBe("Google rejected the sign-in: invalid_grant");
  expect(
    describeProblem(
      { why },
      { ...problemWords, sign_in_rejected: ({ service }) => `non, ${service}` },
    ),
  ).toBe("non, Google");
  expect(describeProblem({ message: "From an old server." })).toBe("From an old server.");
});

it.each([
  [{ code: "not_connected", service: "Slack" }, "Slack isn't connected."],
  [
    { code: "connection_rejected", service: "Google", account: "eva@example.com", message: "gone" },
    "Google no longer accepts the connection to eva@example.com (gone). Connect it again.",
  ],
  [
    { code: "connection_rejected", service: "Google" },
    "Google no longer accepts the connection. Connect it again.",
  ],
])("says why an account is needed: %j", (why, sentence) => {
  expect(describeAuth({ why: authReasonSchema.parse(why) })).toBe(sentence);
});

it("shows the reason of a log before version 7 as text", () => {
  expect(describeAuth({ reason: "Connect the mailbox first." })).toBe("Connect the mailbox first.");
});
