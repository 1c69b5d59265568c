import { expect, it } from "vitest";
import { cardLine, toolDone, toolLabel, toolPhrase, toolTodo } from "./tools.ts";

it.each([
  ["gmail_send", "Sending an email"],
  ["crm_note_add", "Crm note add"],
  ["gmail_*", "All email tools"],
  ["gmail_d*", "All tools starting with gmail_d"],
  ["*", "All tools"],
])("BR25 labels the tool %s as %s", (name, label) => {
  expect(toolLabel(name)).toBe(label);
  expect(toolPhrase(name)).toBe(`${label.charAt(0).toLowerCase()}${label.slice(1)}`);
});

it.each([
  ["gmail_send", "Sent an email", "send an email"],
  ["crm_note_add", "Crm note add", "crm note add"],
])("BR25 has the past tense and the infinitive of %s", (name, done, todo) => {
  expect(toolDone(name)).toBe(done);
  expect(toolTodo(name)).toBe(todo);
});

it("BR1 replaces tool names in the line of a run summary, and leaves other text alone", () => {
  expect(cardLine({ kind: "RunSummaryCard", text: "Did gmail_search, Did gmail_send" })).toBe(
    "Searched your email, Sent an email",
  );
  expect(
    cardLine({
      kind: "RunSummaryCard",
      text: "Did gmail_search 2 times, Reused gmail_send",
    }),
  ).toBe("Searched your email ×2, Sent an email (reused)");
  expect(cardLine({ kind: "RunSummaryCard", text: "Sent what Did gmail_send was asked" })).toBe(
    "Sent what Did gmail_send was asked",
  );
  expect(cardLine({ kind: "EmailDraftCard", text: "Did gmail_send" })).toBe("Did gmail_send");
});
