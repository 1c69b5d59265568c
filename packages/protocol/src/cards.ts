import { z } from "zod";
import { riskSchema } from "./trust.ts";

/** The payload types of `ui` events. An invalid payload is rejected with the path that failed. */

const emailSearchResults = z.object({
  query: z.string(),
  matches: z.array(
    z.object({
      messageId: z.string(),
      from: z.string(),
      subject: z.string(),
      date: z.string(),
      reason: z.string(),
    }),
  ),
});

const attachmentSummary = z.object({
  messageId: z.string(),
  attachments: z.array(
    z.object({
      filename: z.string(),
      mimeType: z.string(),
      sizeBytes: z.number().int().nonnegative(),
      attachmentId: z.string(),
    }),
  ),
});

const extractedFields = z.object({
  source: z.string(),
  fields: z.array(
    z.object({
      key: z.string(),
      value: z.string(),
      confidence: z.number().min(0).max(1),
      /** Whether the value occurs in the source. Absent if this was not checked. */
      found: z.boolean().optional(),
      /** Where the value was found, such as "page 2" or "Sheet1, row 4". */
      place: z.string().optional(),
    }),
  ),
});

const emailDraft = z.object({
  to: z.string(),
  cc: z.array(z.string()),
  subject: z.string(),
  bodyText: z.string(),
  draftId: z.string(),
  requiresApproval: z.boolean(),
});

const calendarEvent = z.object({
  eventId: z.string(),
  summary: z.string(),
  /** A time with offset, or a day. */
  start: z.string(),
  /** A time with offset, or the last day. */
  end: z.string(),
  allDay: z.boolean(),
  location: z.string(),
  guests: z.array(z.string()),
});

const calendarEvents = z.object({
  from: z.string(),
  to: z.string(),
  timeZone: z.string(),
  events: z.array(calendarEvent),
});

const slackMessages = z.object({
  channel: z.string(),
  messages: z.array(
    z.object({
      who: z.string(),
      at: z.string(),
      text: z.string(),
      replies: z.number().int().nonnegative(),
    }),
  ),
});

const runSummary = z.object({
  outcome: z.enum(["succeeded", "failed", "canceled"]),
  highlights: z.array(z.string()),
  /** The number of requested changes that were not made, because they were denied or failed. */
  notDone: z.number().int().positive().optional(),
  sentMessageId: z.string().optional(),
  /** When the message was sent, in ISO 8601. */
  sentAt: z.string().optional(),
  /** This and the following fields are set only if the run did not succeed. */
  code: z.string().optional(),
  reason: z.string().optional(),
  failed: z.array(z.string()).optional(),
  nextAction: z.string().optional(),
  partialAnswer: z.string().optional(),
});

const reconnect = z.object({ provider: z.string(), reason: z.string() });

const unknownEffect = z.object({
  effectId: z.string(),
  actionId: z.string(),
  tool: z.string(),
  preview: z.string(),
  check: z.string(),
});

const approval = z.object({
  approvalId: z.string(),
  actionId: z.string(),
  tool: z.string(),
  digest: z.string(),
  reason: z.string(),
  preview: z.string(),
  expiresAt: z.string(),
  /** Absent in cards that were written before labels existed. */
  risks: z.array(riskSchema).optional(),
  /** Present only after an edit. */
  difference: z
    .array(z.object({ field: z.string(), before: z.string(), after: z.string() }))
    .optional(),
});

export const cardSchemas = {
  EmailSearchResultsCard: emailSearchResults,
  AttachmentSummaryCard: attachmentSummary,
  ExtractedFieldsTable: extractedFields,
  EmailDraftCard: emailDraft,
  CalendarEventsCard: calendarEvents,
  CalendarEventCard: calendarEvent.extend({ status: z.string() }),
  SlackMessagesCard: slackMessages,
  RunSummaryCard: runSummary,
  ReconnectCard: reconnect,
  UnknownEffectCard: unknownEffect,
  ApprovalCard: approval,
} as const;

export type CardKind = keyof typeof cardSchemas;
export type CardPayload<K extends CardKind> = z.infer<(typeof cardSchemas)[K]>;
export type Card = {
  [K in CardKind]: { readonly kind: K; readonly payload: CardPayload<K> };
}[CardKind];

function card<K extends CardKind>(kind: K) {
  return z.object({ kind: z.literal(kind), payload: cardSchemas[kind] });
}

export const cardSchema = z.discriminatedUnion("kind", [
  card("EmailSearchResultsCard"),
  card("AttachmentSummaryCard"),
  card("ExtractedFieldsTable"),
  card("EmailDraftCard"),
  card("CalendarEventsCard"),
  card("CalendarEventCard"),
  card("SlackMessagesCard"),
  card("RunSummaryCard"),
  card("ReconnectCard"),
  card("UnknownEffectCard"),
  card("ApprovalCard"),
]);
