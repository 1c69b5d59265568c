import { cardSchema } from "@bron/protocol";
import { afterEach, describe, expect, inject, it } from "vitest";
import {
  cardsOf,
  openMailHarness,
  outputsOf,
  ownerId,
  type MailHarness,
} from "./support/mail-harness.ts";
import { resultOf } from "./support/mail-script.ts";

interface Found {
  readonly matches: {
    readonly messageId: string;
    readonly threadId: string;
    readonly attachments: string[];
  }[];
}
interface Kept {
  readonly digest: string;
  readonly filename: string;
  readonly mimeType: string;
}

describe("from a prompt to a sent mail", () => {
  let harness: MailHarness;
  afterEach(async () => await harness.close());

  it("BR3 BR12 BR19 RT9 searches, reads, downloads, extracts, drafts, waits, sends once and confirms, with its cards in order", async () => {
    harness = await openMailHarness(inject("postgresUrl"), {
      script({ turn, options }) {
        const found = resultOf<Found>(options, "gmail_search")?.matches[0];
        const kept = resultOf<Kept>(options, "gmail_attachment_get");
        const text =
          resultOf<{ pages: { text: string }[] }>(options, "document_read")
            ?.pages.map((page) => page.text)
            .join("\n") ?? "";
        const words = [...new Set(text.match(/[\p{L}\d][\p{L}\d.,-]{3,}/gu) ?? [])].slice(0, 6);
        const steps = [
          {
            tool: "gmail_search",
            input: { query: "subject:invoice filename:pdf newer_than:90d", maxResults: 5 },
          },
          { tool: "gmail_message_read", input: { messageId: found?.messageId } },
          {
            tool: "gmail_attachment_get",
            input: {
              messageId: found?.messageId,
              filename: found?.attachments.find((name) => name.endsWith(".pdf")),
            },
          },
          {
            tool: "document_read",
            input: { digest: kept?.digest, name: kept?.filename, mediaType: kept?.mimeType },
          },
          {
            tool: "document_fields",
            input: {
              digest: kept?.digest,
              source: kept?.filename,
              fields: [
                ...words.map((value, index) => ({ key: `Field ${index}`, value, confidence: 0.9 })),
                { key: "Invented", value: "zzqqxxyy-12345", confidence: 0.99 },
              ],
            },
          },
          {
            tool: "gmail_draft_create",
            input: {
              to: [harness.colleague],
              subject: "Invoice – Rechnung № 1",
              bodyText: `Fields: ${words.join(", ")}`,
              attachments: [
                { digest: kept?.digest, filename: kept?.filename, mediaType: kept?.mimeType },
              ],
            },
          },
          {
            tool: "gmail_draft_send",
            input: {
              draftId: resultOf<{ draftId: string }>(options, "gmail_draft_create")?.draftId,
            },
          },
        ];
        const step = steps[turn];
        return step ? { text: `Step ${turn + 1}. `, calls: [step] } : { text: "It was sent." };
      },
    });
    const parked = await harness.runUntilParked("Find the newest invoice and mail its fields.");
    const before = await harness.events(parked.id);
    expect(
      parked.status,
      JSON.stringify(
        before.filter(({ type }) => type === "tool"),
        null,
        1,
      ),
    ).toBe("awaiting_confirmation");
    expect(harness.simulator.record().sent).toEqual([]);
    const [approval] = await harness.runtime
      .clientFor(ownerId)
      .list("GET /api/approvals", { runId: parked.id });
    expect(approval).toMatchObject({
      tool: "gmail_draft_send",
      state: "pending",
      prepared: {
        account: harness.owner,
        to: [harness.colleague],
        subject: "Invoice – Rechnung № 1",
        attachments: [{ filename: expect.stringMatching(/\.pdf$/) }],
      },
    });
    await harness.approve(parked.id);
    const ended = await harness.waitUntilParked(parked.id);
    expect(ended.status).toBe("completed");
    const events = await harness.events(parked.id);
    expect([...new Set(cardsOf(events))]).toEqual([
      "EmailSearchResultsCard",
      "AttachmentSummaryCard",
      "ExtractedFieldsTable",
      "EmailDraftCard",
      "ApprovalCard",
      "RunSummaryCard",
    ]);
    // Everything that the tools and the loop emit matches the schemas, without extra fields.
    const emitted = events.flatMap((event) => (event.type === "ui" ? [event.payload] : []));
    expect(emitted.map((card) => cardSchema.parse(card))).toEqual(emitted);
    // For a link to the draft itself.
    expect(emitted.find(({ kind }) => kind === "EmailDraftCard")).toMatchObject({
      payload: { messageId: expect.stringMatching(/./) },
    });
    const table = events.find(
      (event) => event.type === "ui" && event.payload.kind === "ExtractedFieldsTable",
    );
    expect(table).toMatchObject({
      payload: {
        payload: {
          fields: expect.arrayContaining([
            expect.objectContaining({ key: "Invented", found: false, confidence: 0 }),
            expect.objectContaining({ key: "Field 0", found: true }),
          ]),
        },
      },
    });
    const [sent, ...more] = harness.simulator.record().sent;
    expect(more).toEqual([]);
    expect(sent).toMatchObject({
      by: "app",
      account: harness.owner,
      subject: "Invoice – Rechnung № 1",
      recipients: { envelope: [harness.colleague] },
    });
    // The sent mail equals the shown one, byte for byte.
    const prepared = approval?.prepared as { raw: string };
    expect(sent?.raw).toBe(Buffer.from(prepared.raw, "base64url").toString("base64"));
    const [{ sentAt }] = outputsOf(events, "gmail_draft_send") as [{ sentAt: string }];
    expect(outputsOf(events, "gmail_draft_send")).toEqual([
      {
        sentMessageId: sent?.messageId,
        threadId: sent?.threadId,
        sentAt,
        draftId: expect.any(String),
        to: [harness.colleague],
        cc: [],
        bcc: [],
        subject: "Invoice – Rechnung № 1",
      },
    ]);
    expect(events.at(-2)).toMatchObject({
      payload: {
        kind: "RunSummaryCard",
        payload: { outcome: "succeeded", sentMessageId: sent?.messageId, sentAt },
      },
    });
    // Gmail's response has no time, so the card shows the time of the response, which lies between
    // the time that the mailbox recorded and the result in the log.
    const recorded = events.find(
      (event) =>
        event.type === "tool" &&
        event.payload.phase === "end" &&
        event.payload.name === "gmail_draft_send",
    )?.createdAt;
    const inOrder = [sent?.time ?? "", sentAt, String(recorded)];
    expect(inOrder).toEqual(inOrder.toSorted());
    expect(
      (
        await harness.runtime
          .clientFor(ownerId)
          .call("GET /api/runs/:id/artifacts", { params: { id: parked.id } })
      ).artifacts
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(["attachment", "extracted_json", "outbound_email_eml", "pdf_summary"]);
  });
});
