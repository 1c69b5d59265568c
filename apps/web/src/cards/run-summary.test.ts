import { expect, it } from "vitest";
import { describeRuntimeEvent, failureInWords } from "./run-summary.tsx";

it("BR18 says what was done in words, and how often", () => {
  expect(describeRuntimeEvent("Did gmail_search")).toBe("Searching your mail");
  expect(describeRuntimeEvent("Did gmail_search 3 times")).toBe("Searching your mail, 3 times");
  expect(describeRuntimeEvent("Did plan")).toBeUndefined();
  expect(describeRuntimeEvent("Reused gmail_search")).toBe(
    "Searching your mail (from the earlier run)",
  );
  expect(describeRuntimeEvent("Reused gmail_message_read 2 times")).toBe(
    "Reading a message, 2 times (from the earlier run)",
  );
  expect(describeRuntimeEvent("Reused plan")).toBeUndefined();
  expect(describeRuntimeEvent("Reused the draft")).toBe("Reused the draft");
});

it("BR18 says to the owner what the model is told of them", () => {
  expect(failureInWords("post_note: The user declined: too long")).toBe(
    "Posting to a board: You declined: too long",
  );
  expect(
    failureInWords("gmail_draft_send: The user took their approval back; it was not done."),
  ).toBe("Sending the draft: You took your approval back; it was not done.");
  expect(failureInWords("It was slow")).toBe("It was slow");
});
