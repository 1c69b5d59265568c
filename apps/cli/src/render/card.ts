import { unreachable } from "@bron/core";
import {
  cardSchema,
  describeAuth,
  describeReasons,
  type Card,
  type EventView,
  type JsonObject,
  visible,
} from "@bron/protocol";
import type { ApprovalOptions } from "./approval.ts";
import { renderAttachments, renderDraft, renderFields, renderSearchResults } from "./mail-card.ts";
import { describeDiff, describeRisks } from "./risks.ts";
import { renderSummary } from "./run-summary.ts";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { localTime, until } from "./time.ts";
import { approvalQuestion, describeCheck, unconfirmedSentence } from "./tool-words.ts";
import { indent, oneLine } from "./visible.ts";
import { renderEvent, renderEvents, renderSlack } from "./workspace-card.ts";

/**
 * Renders a card as a few lines of text. The first line is its title. `calledAs` is how hints name
 * the command.
 */
export function renderCard(kind: string, payload: JsonObject, calledAs = "bron"): string[] {
  const parsed = cardSchema.safeParse({ kind, payload });
  if (!parsed.success) return [`A card that this version can't show (${oneLine(kind, 40)})`];
  const card: Card = parsed.data;
  switch (card.kind) {
    case "RunSummaryCard":
      return renderSummary(card.payload);
    case "UnknownEffectCard":
      return [
        unconfirmedSentence(card.payload.tool),
        ...fields([
          ["What", visible(card.payload.preview)],
          ["Check", visible(describeCheck(card.payload))],
          ["Effect", card.payload.effectId],
          [
            "Settle",
            `${calledAs} effects settle ${shortId(card.payload.effectId)} --happened (or --did-not-happen)`,
          ],
        ]),
      ];
    case "ReconnectCard":
      return [
        `${visible(describeAuth(card.payload))} Sign in again with: ${calledAs} connect ${visible(card.payload.provider)}`,
      ];
    case "ApprovalCard":
      return [`Approval ${shortId(card.payload.approvalId)}`];
    case "EmailSearchResultsCard":
      return renderSearchResults(card.payload);
    case "AttachmentSummaryCard":
      return renderAttachments(card.payload);
    case "ExtractedFieldsTable":
      return renderFields(card.payload);
    case "EmailDraftCard":
      return renderDraft(card.payload);
    case "CalendarEventsCard":
      return renderEvents(card.payload);
    case "CalendarEventCard":
      return renderEvent(card.payload);
    case "SlackMessagesCard":
      return renderSlack(card.payload);
    default:
      return unreachable(card);
  }
}

interface ApprovalCardOptions extends ApprovalOptions {
  /** The person is asked next, and needs no commands. */
  readonly asksNext?: boolean;
}

/** What an approval asks, as a few lines of text. */
export function renderApproval(
  approval: Extract<EventView, { type: "approval" }>["payload"],
  { now, calledAs: bron, isVerbose = false, asksNext = false }: ApprovalCardOptions,
): string[] {
  const {
    approvalId,
    tool,
    digest,
    preview = "",
    expiresAt,
    risks = [],
    reasons = [],
    diff = [],
  } = approval;
  const id = shortId(approvalId);
  const seen = isVerbose ? ` --digest ${digest}` : "";
  return [
    approvalQuestion(tool),
    `  ${indent(preview, 2)}`,
    "",
    ...[
      ...describeRisks(risks, { moreWith: `${bron} approvals show ${id}` }),
      ...describeDiff(diff),
    ].map((text) => (text === "" ? "" : `  ${text}`)),
    ...fields([
      ["Why", visible(describeReasons(reasons))],
      ["Digest", isVerbose ? digest : undefined],
      [
        "Expires",
        expiresAt === undefined ? undefined : `${until(expiresAt, now)} (${localTime(expiresAt)})`,
      ],
      ["Approve", asksNext ? undefined : `${bron} approvals approve ${id}${seen}`],
      ["Deny", asksNext ? undefined : `${bron} approvals deny ${id}${seen}`],
    ]),
  ];
}
