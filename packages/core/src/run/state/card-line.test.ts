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
    { text: "Invoice 7, Re: Invoice 7", count: 2 },
  ],
  ["EmailSearchResultsCard", { query: "invoice", matches: [] }, { text: "", count: 0 }],
  [
    "ExtractedFieldsTable",
    { source: "invoice.pdf", fields: [{ key: "Total", value: "12.00", confidence: 1 }] },
    { text: "invoice.pdf: Total 12.00" },
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
    { text: "eva@x.example: Re: Invoice 7" },
  ],
  [
    "SlackMessagesCard",
    { channel: "#general", messages: [{ who: "Eva", at: "", text: "hi", replies: 0 }] },
    { text: "#general", count: 1 },
  ],
  [
    "RunSummaryCard",
    { outcome: "failed", highlights: ["Did gmail_search"], reason: "The model did not answer." },
    { text: "The model did not answer." },
  ],
  [
    "UnknownEffectCard",
    { effectId: "e", actionId: "a", tool: "gmail_send", preview: "To eva", check: "Look." },
    { text: "To eva", tool: "gmail_send" },
  ],
] as const)("BR1 makes a line of a %s", (kind, payload, line) => {
  expect(cardLine({ kind, payload: payload as unknown as JsonObject })).toEqual({
    kind,
    ...line,
  });
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

it("BR1 keeps why a run failed as data", () => {
  const error = { code: "cap_time", why: { code: "time_limit", minutes: 8 } };
  const payload = { outcome: "failed", did: [], notDone: [], error };
  expect(cardLine({ kind: "RunSummaryCard", payload })).toMatchObject({ text: "", error });
});

it("BR1 keeps why an account is needed as data", () => {
  const why = { code: "not_connected", service: "Slack" };
  expect(cardLine({ kind: "ReconnectCard", payload: { provider: "slack", why } })).toEqual({
    kind: "ReconnectCard",
    text: "",
    auth: why,
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
