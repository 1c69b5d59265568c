import { expect, test } from "vitest";
import { renderCard } from "./card.ts";

const match = {
  messageId: "m-1",
  from: "Eva <eva@example.com>",
  subject: "Invoice\n\u001B[31m7",
  date: "Monday",
  reason: "Matches invoice",
};

test("search results show the first emails, one line each", () => {
  const card = (count: number) =>
    renderCard("EmailSearchResultsCard", {
      query: "invoice",
      matches: Array.from({ length: count }, () => match),
    });
  expect(card(0)).toEqual(["No emails found."]);
  const [head, line] = card(1);
  expect(head).toBe("1 email found:");
  expect(line).toMatch(/^ {2}Monday {2}Eva <eva@example\.com> {2}Invoice \S+7$/);
  expect(line).not.toContain("\u001B");
  expect(card(6)).toHaveLength(5);
  expect(card(6)[0]).toBe("6 emails found. The first 4:");
});

test("attachments are listed with their sizes", () => {
  const attachment = {
    filename: "bill.pdf",
    mimeType: "application/pdf",
    sizeBytes: 2_048,
    attachmentId: "a-1",
  };
  expect(
    renderCard("AttachmentSummaryCard", { messageId: "m-1", attachments: [attachment] }),
  ).toEqual(["Attachment: bill.pdf (2 KB)"]);
});

test("extracted fields are listed, and say if the source does not contain them", () => {
  expect(
    renderCard("ExtractedFieldsTable", {
      source: "bill.pdf",
      fields: [
        { key: "Total", value: "84.00 EUR", confidence: 1, found: true },
        { key: "IBAN", value: "DE00", confidence: 0.2, found: false },
      ],
    }),
  ).toEqual([
    "Details from bill.pdf:",
    "  Total: 84.00 EUR",
    "  IBAN:  DE00 (not found in the source)",
  ]);
});

test("a draft shows its recipients, subject and the beginning of its text", () => {
  expect(
    renderCard("EmailDraftCard", {
      to: "eva@example.com",
      cc: [],
      subject: "Invoice 7",
      bodyText: "Hello Eva,\n\nhere it is.",
      draftId: "d-1",
      requiresApproval: true,
    }),
  ).toEqual([
    "Draft saved (not sent):",
    "  To:      eva@example.com",
    "  Subject: Invoice 7",
    "  Text:    Hello Eva, here it is.",
  ]);
});
