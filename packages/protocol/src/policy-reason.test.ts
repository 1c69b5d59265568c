import { expect, it } from "vitest";
import { describeReasons, policyWords } from "./policy-reason.ts";

it("makes a sentence of each reason, and keeps text as it is", () => {
  expect(
    describeReasons([
      { code: "edit_failed", message: "It is not a time." },
      { code: "recipients_not_trusted", addresses: ["a@x.example", "b@x.example"] },
      { code: "recipient_not_mentioned", address: "eva@x.example", role: "cc" },
      "No one could verify the sender.",
    ]),
  ).toBe(
    "Your edit couldn't be applied, so this is the original: It is not a time. These aren't trusted contacts: a@x.example, b@x.example. You didn't mention eva@x.example (cc). No one could verify the sender.",
  );
  expect(describeReasons([{ code: "recipients_not_trusted", addresses: ["a@x.example"] }])).toBe(
    "a@x.example isn't a trusted contact.",
  );
});

it("takes the words of another language", () => {
  const words = { ...policyWords, rule_asks: () => "Translated." };
  expect(describeReasons([{ code: "rule_asks" }], words)).toBe("Translated.");
});
