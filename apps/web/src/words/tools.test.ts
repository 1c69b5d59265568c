import { expect, it } from "vitest";
import { cardLineInWords, toolInSentence, toolInWords } from "./tools.ts";

it.each([
  ["gmail_send", "Sending a mail"],
  ["crm_note_add", "Crm note add"],
  ["gmail_*", "Everything about mail"],
  ["gmail_d*", "Everything that begins with gmail_d"],
  ["*", "Everything"],
])("BR25 the tool %s is told by what it does", (name, words) => {
  expect(toolInWords(name)).toBe(words);
  expect(toolInSentence(name)).toBe(`${words.charAt(0).toLowerCase()}${words.slice(1)}`);
});

it("BR1 a summary in a line names no tool; what others wrote stays as it is", () => {
  expect(
    cardLineInWords({ kind: "RunSummaryCard", text: "Did gmail_search, Did gmail_send" }),
  ).toBe("Searching your mail, Sending a mail");
  expect(
    cardLineInWords({
      kind: "RunSummaryCard",
      text: "Did gmail_search 2 times, Reused gmail_send",
    }),
  ).toBe("Searching your mail, 2 times, Sending a mail (from the earlier run)");
  expect(
    cardLineInWords({ kind: "RunSummaryCard", text: "Sent what Did gmail_send was asked" }),
  ).toBe("Sent what Did gmail_send was asked");
  expect(cardLineInWords({ kind: "EmailDraftCard", text: "Did gmail_send" })).toBe(
    "Did gmail_send",
  );
});
