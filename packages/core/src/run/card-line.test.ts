import type { JsonObject } from "@bron/protocol";
import { expect, it } from "vitest";
import { cardLine } from "./card-line.ts";

const mail = (subject: string) => ({
  messageId: "m",
  from: "eva@x.example",
  subject,
  date: "",
  reason: "",
});

it.each([
  [
    "EmailSearchResultsCard",
    { query: "invoice", matches: [mail("Invoice 7"), mail("Re: Invoice 7")] },
    "2 mails: Invoice 7, Re: Invoice 7",
  ],
  ["EmailSearchResultsCard", { query: "invoice", matches: [] }, "0 mails"],
  [
    "ExtractedFieldsTable",
    { source: "invoice.pdf", fields: [{ key: "Total", value: "12.00", confidence: 1 }] },
    "invoice.pdf: Total 12.00",
  ],
  [
    "EmailDraftCard",
    {
      to: "eva@x.example",
      cc: [],
      subject: "Re: Invoice 7",
      bodyText: "…",
      draftId: "d",
      requiresApproval: true,
    },
    "To eva@x.example: Re: Invoice 7",
  ],
  [
    "SlackMessagesCard",
    { channel: "#general", messages: [{ who: "Eva", at: "", text: "hi", replies: 0 }] },
    "1 message in #general",
  ],
  [
    "RunSummaryCard",
    { outcome: "failed", highlights: ["Did gmail_search"], reason: "The model did not answer." },
    "The model did not answer.",
  ],
] as const)("BR1 a %s is told in a line", (kind, payload, text) => {
  expect(cardLine({ kind, payload: payload as unknown as JsonObject })).toEqual({ kind, text });
});

it("BR1 keeps what a run did as data", () => {
  const did = [{ tool: "gmail_search", count: 2, reused: false }];
  const payload = { outcome: "succeeded", did, notDone: [] };
  expect(cardLine({ kind: "RunSummaryCard", payload })).toEqual({
    kind: "RunSummaryCard",
    text: "",
    outcome: "succeeded",
    did,
  });
});

it("BR1 truncates a long preview to one line of 200 characters without splitting a character", () => {
  const { text } = cardLine({
    kind: "ReconnectCard",
    payload: { provider: "google", reason: `a\n\tb${"🙂".repeat(300)}` },
  });
  expect(text).toHaveLength(200);
  expect(text.startsWith("a b🙂")).toBe(true);
  expect(text.isWellFormed()).toBe(true);
});

it("returns no line for an invalid card and does not throw", () => {
  expect(cardLine({ kind: "EmailDraftCard", payload: { to: 7 } })).toEqual({
    kind: "EmailDraftCard",
    text: "",
  });
});
