import { expect, it } from "vitest";
import { describeHighlight, describeFailure } from "./run-summary.tsx";

it("BR18 says what was done, and how often", () => {
  expect(describeHighlight("Did gmail_search")).toBe("Searched your email");
  expect(describeHighlight("Did gmail_search 3 times")).toBe("Searched your email ×3");
  expect(describeHighlight("Did plan")).toBeUndefined();
  expect(describeHighlight("Reused gmail_search")).toBe("Searched your email (reused)");
  expect(describeHighlight("Reused gmail_message_read 2 times")).toBe("Read an email ×2 (reused)");
  expect(describeHighlight("Reused plan")).toBeUndefined();
  expect(describeHighlight("Reused the draft")).toBe("Reused the draft");
});

it("BR18 turns a message for the model towards the owner", () => {
  expect(describeFailure("post_note: The user declined: too long")).toBe(
    "Posting to a board: You declined: too long",
  );
  expect(
    describeFailure("gmail_draft_send: The user took their approval back; it was not done."),
  ).toBe("Sending the draft: You took your approval back; it was not done.");
  expect(describeFailure("It was slow")).toBe("It was slow");
});
