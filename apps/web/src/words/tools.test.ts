import type { CardLine } from "@bron/protocol";
import { expect, it } from "vitest";
import {
  cardLine,
  describeCheck,
  toolDone,
  toolLabel,
  toolPhrase,
  toolPurpose,
  toolTodo,
} from "./tools.ts";

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

it("BR25 says what a known tool does, and nothing about an unknown one", () => {
  expect(toolPurpose("gmail_send")).toBe("Sends a new email from your address.");
  expect(toolPurpose("crm_note_add")).toBeUndefined();
});

it.each([
  [{ check: "Look in Sent." }, "Look in Sent."],
  [
    { why: { code: "check_failed", detail: "Gmail is away." } },
    "Bron tried to check: Gmail is away. Check whether it was sent.",
  ],
  [{}, "Check whether it was sent."],
] as const)("BR18 says how to check an unconfirmed email: %j", (known, text) => {
  const card = { effectId: "e", actionId: "a", tool: "gmail_send", preview: "To eva" };
  expect(describeCheck({ ...card, ...known })).toBe(text);
});

it("BR1 makes the line of a run summary from what was done, and leaves text alone", () => {
  const summary: CardLine = { kind: "RunSummaryCard", text: "", outcome: "succeeded", did: [] };
  const did = [
    { tool: "gmail_search", count: 2, reused: false },
    { tool: "gmail_send", count: 1, reused: true },
  ];
  expect(cardLine({ ...summary, did })).toBe("Searched your email ×2 · Sent an email (reused)");
  expect(cardLine(summary)).toBe("Done");
  expect(cardLine({ ...summary, outcome: "canceled", did })).toBe("This task was stopped.");
  const error = { code: "cap_time", why: { code: "time_limit", minutes: 8 } } as const;
  expect(cardLine({ ...summary, outcome: "failed", error })).toBe(
    "Stopped after 8 minutes, the time limit for one task.",
  );
  expect(cardLine({ kind: "RunSummaryCard", text: "Did gmail_send" })).toBe("Did gmail_send");
});

it.each<[CardLine, string]>([
  [{ kind: "EmailSearchResultsCard", text: "Invoice 7", count: 1 }, "1 email: Invoice 7"],
  [{ kind: "CalendarEventsCard", text: "", count: 0 }, "0 events"],
  [{ kind: "SlackMessagesCard", text: "#general", count: 2 }, "2 messages in #general"],
  [
    { kind: "ApprovalCard", text: "To: eva@x.example", tool: "gmail_send" },
    "Send this email? To: eva@x.example",
  ],
  [
    { kind: "UnknownEffectCard", text: "To: eva@x.example", tool: "gmail_send" },
    "We couldn't confirm this was sent: To: eva@x.example",
  ],
  [{ kind: "EmailSearchResultsCard", text: "2 mails: Invoice 7" }, "2 mails: Invoice 7"],
])("BR1 makes one line of the card %j", (line, expected) => {
  expect(cardLine(line)).toBe(expected);
});
