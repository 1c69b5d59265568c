import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cardSchema, cardSchemas } from "./cards.ts";

/** The payloads as the product requirements define them, in section 12.2. */
const promised = [
  {
    kind: "EmailSearchResultsCard",
    payload: {
      query: 'subject:"Invoice" has:attachment newer_than:30d',
      matches: [
        {
          messageId: "18c",
          from: "billing@x.example",
          subject: "Invoice",
          date: "2026-01-05",
          reason: "has attachment + subject match",
        },
      ],
    },
  },
  {
    kind: "AttachmentSummaryCard",
    payload: {
      messageId: "18c",
      attachments: [
        {
          filename: "invoice.pdf",
          mimeType: "application/pdf",
          sizeBytes: 123_456,
          attachmentId: "a1",
        },
      ],
    },
  },
  {
    kind: "ExtractedFieldsTable",
    payload: {
      source: "invoice.pdf",
      fields: [
        { key: "Invoice Number", value: "INV-1234", confidence: 0.92 },
        { key: "Amount", value: "$1,234.56", confidence: 0.88 },
      ],
    },
  },
  {
    kind: "EmailDraftCard",
    payload: {
      to: "name@example.com",
      cc: [],
      subject: "Invoice INV-1234 details",
      bodyText: "Hi ...",
      draftId: "xyz",
      requiresApproval: true,
    },
  },
  {
    kind: "RunSummaryCard",
    payload: {
      outcome: "succeeded",
      highlights: ["Found email", "Downloaded invoice.pdf", "Extracted 8 fields", "Drafted email"],
    },
  },
  {
    kind: "RunSummaryCard",
    payload: { outcome: "succeeded", highlights: ["Drafted email"], sentMessageId: "18d" },
  },
] as const;

interface Shape {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** The names of the fields. Optional fields end with a question mark. */
function fieldsOf({ properties = {}, required = [] }: Shape): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, shape]) => [
      required.includes(name) ? name : `${name}?`,
      shape.items?.properties
        ? [fieldsOf(shape.items)]
        : shape.items
          ? [shape.items.type ?? "union"]
          : (shape.type ?? "union"),
    ]),
  );
}

describe("the payloads of cards", () => {
  it.each(promised)("BR19 take what was promised, field by field: $kind", (card) => {
    expect(cardSchema.parse(card)).toEqual(card);
    for (const name of Object.keys(card.payload).filter((one) => one !== "sentMessageId")) {
      const { [name]: _, ...rest } = card.payload as Record<string, unknown>;
      expect(
        cardSchema.safeParse({ kind: card.kind, payload: rest }).success,
        `without ${name}`,
      ).toBe(false);
    }
  });

  it("BR19 have the fields that the product requirements define", () => {
    const all = Object.fromEntries(
      Object.entries(cardSchemas).map(([kind, schema]) => [
        kind,
        fieldsOf(z.toJSONSchema(schema) as Shape),
      ]),
    );
    expect(all).toMatchInlineSnapshot(`
      {
        "ApprovalCard": {
          "approvalId": "string",
        },
        "AttachmentSummaryCard": {
          "attachments": [
            {
              "attachmentId": "string",
              "filename": "string",
              "mimeType": "string",
              "sizeBytes": "integer",
            },
          ],
          "messageId": "string",
        },
        "CalendarEventCard": {
          "allDay": "boolean",
          "end": "string",
          "eventId": "string",
          "guests": [
            "string",
          ],
          "location": "string",
          "start": "string",
          "status": "string",
          "summary": "string",
        },
        "CalendarEventsCard": {
          "events": [
            {
              "allDay": "boolean",
              "end": "string",
              "eventId": "string",
              "guests": [
                "string",
              ],
              "location": "string",
              "start": "string",
              "summary": "string",
            },
          ],
          "from": "string",
          "timeZone": "string",
          "to": "string",
        },
        "EmailDraftCard": {
          "bodyText": "string",
          "cc": [
            "string",
          ],
          "draftId": "string",
          "messageId?": "string",
          "requiresApproval": "boolean",
          "subject": "string",
          "to": "string",
        },
        "EmailSearchResultsCard": {
          "matches": [
            {
              "date": "string",
              "from": "string",
              "messageId": "string",
              "reason": "string",
              "subject": "string",
            },
          ],
          "query": "string",
        },
        "ExtractedFieldsTable": {
          "fields": [
            {
              "confidence": "number",
              "found?": "boolean",
              "key": "string",
              "place?": "string",
              "value": "string",
            },
          ],
          "source": "string",
        },
        "ReconnectCard": {
          "provider": "string",
          "reason?": "string",
          "why?": "union",
        },
        "RunSummaryCard": {
          "did": [
            {
              "count": "integer",
              "reused": "boolean",
              "tool": "string",
            },
          ],
          "effectsNotDone?": "integer",
          "error?": "object",
          "nextAction?": "string",
          "notDone": [
            {
              "cause": "string",
              "message?": "string",
              "reasons?": [
                "union",
              ],
              "tool": "string",
              "why?": "union",
            },
          ],
          "outcome": "string",
          "partialText?": "string",
          "runOutcome?": "string",
          "sentAt?": "string",
          "sentMessageId?": "string",
          "unfinished?": [
            {
              "error?": "object",
              "handling?": "string",
              "notDone?": "integer",
              "replacement?": "string",
              "status": "string",
              "title": "string",
            },
          ],
          "unreadFiles?": [
            "string",
          ],
        },
        "SlackMessagesCard": {
          "channel": "string",
          "messages": [
            {
              "at": "string",
              "replies": "integer",
              "text": "string",
              "who": "string",
            },
          ],
        },
        "UnknownEffectCard": {
          "actionId": "string",
          "check?": "string",
          "effectId": "string",
          "preview": "string",
          "tool": "string",
          "why?": "union",
        },
      }
    `);
  });
});
