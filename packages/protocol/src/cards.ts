import { z } from "zod";
import { actionFailureReasonSchema } from "./action-failure.ts";
import { authReasonSchema } from "./auth-reason.ts";
import { errorTable, type ErrorCode } from "./errors.ts";
import { failureSchema } from "./failure.ts";
import { notDoneSchema } from "./not-done.ts";
import { runOutcomes } from "./run-outcome.ts";
import { unfinishedChildSchema } from "./unfinished-child.ts";

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
  /** The mailbox's id of the draft's message, for a link to it. Missing in older logs. */
  messageId: z.string().optional(),
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

const summaryOutcome = z.enum(["succeeded", "failed", "canceled"]);

/** Completed calls of one tool. */
const completedCalls = z.object({
  tool: z.string(),
  count: z.number().int().positive(),
  /** The results come from the run that this one retries. */
  reused: z.boolean(),
});
export type CompletedCalls = z.infer<typeof completedCalls>;

const runSummary = z.object({
  outcome: summaryOutcome,
  /** How the run went. Absent in logs that were written before outcomes existed. */
  runOutcome: z.enum(runOutcomes).optional(),
  did: z.array(completedCalls),
  notDone: z.array(notDoneSchema.extend({ tool: z.string() })),
  /** The child runs that did not complete, or did not do everything, and what Bron did about it. */
  unfinished: z.array(unfinishedChildSchema).optional(),
  /** The names of attached files that no step has read. */
  unreadFiles: z.array(z.string()).optional(),
  /** The number of requested effects that were not made, also by child runs. Set if it succeeded. */
  effectsNotDone: z.number().int().positive().optional(),
  sentMessageId: z.string().optional(),
  /** When the message was sent, in ISO 8601. */
  sentAt: z.string().optional(),
  /**
   * `retry_rest`: a retry makes only the effects that were not made. `retry`: the run was canceled.
   * `resolve_error`: the hint of the error's code says what to do.
   */
  nextAction: z.enum(["retry_rest", "retry", "resolve_error"]).optional(),
  /** The error that ended the run. */
  error: failureSchema.optional(),
  /** The newest text of the model, if the run did not succeed. */
  partialText: z.string().optional(),
});

/** What the owner can do next. */
export const nextActionWords: Readonly<
  Record<
    NonNullable<z.infer<typeof runSummary>["nextAction"]>,
    (code: ErrorCode | undefined) => string | undefined
  >
> = {
  retry_rest: () => "Retry to finish what's left. Completed steps won't run again.",
  retry: () => "Retry any time. Completed steps are kept.",
  resolve_error: (code) => (code === undefined ? undefined : errorTable[code].hint),
};

/** The summary in logs before version 6. Its sentences are shown as they are. */
const textSummary = z.object({
  outcome: summaryOutcome,
  highlights: z.array(z.string()),
  notDone: z.number().int().positive().optional(),
  sentMessageId: z.string().optional(),
  sentAt: z.string().optional(),
  code: z.string().optional(),
  reason: z.string().optional(),
  failed: z.array(z.string()).optional(),
  nextAction: z.string().optional(),
  partialText: z.string().optional(),
});

/** A card in one line, for lists. Readers make the words around its text. */
export const cardLineSchema = z.object({
  kind: z.string(),
  /** Text of the card, such as the subjects of the emails that were found. */
  text: z.string(),
  /** The number of things in the card, if it is a list. */
  count: z.number().int().optional(),
  /** The tool whose approval, or whose unknown outcome, the card is about. */
  tool: z.string().optional(),
  /** This, `did` and `error` are set for the summary of a run. */
  outcome: summaryOutcome.optional(),
  did: z.array(completedCalls).optional(),
  error: failureSchema.optional(),
  /** Why an account is needed. */
  auth: authReasonSchema.optional(),
});
export type CardLine = z.infer<typeof cardLineSchema>;

const reconnect = z.object({
  provider: z.string(),
  why: authReasonSchema.optional(),
  /** Text of a tool that gives no `why`, and of logs before version 7. */
  reason: z.string().optional(),
});

const unknownEffect = z.object({
  effectId: z.string(),
  actionId: z.string(),
  tool: z.string(),
  preview: z.string(),
  /** What the tool says about how to check. */
  check: z.string().optional(),
  /** Why Bron could not find out. */
  why: actionFailureReasonSchema.optional(),
});

/** The `approval` event with this id has the facts. Cards before version 6 repeat them. */
const approval = z.object({ approvalId: z.string() });

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

/** Forms that logs of earlier versions contain. Nothing writes them anymore. */
const oldCardSchemas = { RunSummaryCard: textSummary } as const;

export type CardKind = keyof typeof cardSchemas;
export type CardPayload<K extends CardKind> = z.infer<(typeof cardSchemas)[K]>;
type OldCardKind = keyof typeof oldCardSchemas;
export type OldCardPayload<K extends OldCardKind> = z.infer<(typeof oldCardSchemas)[K]>;
export type Card =
  | { [K in CardKind]: { readonly kind: K; readonly payload: CardPayload<K> } }[CardKind]
  | { [K in OldCardKind]: { readonly kind: K; readonly payload: OldCardPayload<K> } }[OldCardKind];

function card<K extends CardKind>(kind: K) {
  return z.object({ kind: z.literal(kind), payload: cardSchemas[kind] });
}

const newCardSchema = z.discriminatedUnion("kind", [
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

export const cardSchema = z.union([
  newCardSchema,
  z.object({ kind: z.literal("RunSummaryCard"), payload: oldCardSchemas.RunSummaryCard }),
]);
