import { cardSchema, type Card, type CardPayload, type JsonObject, visible } from "@bron/protocol";
import { describeDiff, describeRisks } from "./risks.ts";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { localTime, until } from "./time.ts";
import { indent, oneLine } from "./visible.ts";
import { renderEvent, renderEvents, renderSlack } from "./workspace-card.ts";

/** Renders a card as a few lines of text. The first line is its title. */
export function renderCard(kind: string, payload: JsonObject, now: Date): string[] {
  const parsed = cardSchema.safeParse({ kind, payload });
  if (!parsed.success) return [`${visible(kind)} ${oneLine(JSON.stringify(payload))}`];
  const card: Card = parsed.data;
  switch (card.kind) {
    case "ApprovalCard":
      return renderApproval(card.payload, now);
    case "RunSummaryCard":
      return renderSummary(card.payload);
    case "UnknownEffectCard":
      return [
        `Couldn't confirm whether ${visible(card.payload.tool)} happened.`,
        ...fields([
          ["What", visible(card.payload.preview)],
          ["Check", visible(card.payload.check)],
          ["Effect", card.payload.effectId],
          [
            "Settle",
            `bron effects settle ${shortId(card.payload.effectId)} --happened (or --did-not-happen)`,
          ],
        ]),
      ];
    case "ReconnectCard":
      return [
        `${visible(card.payload.reason)} Sign in again with: bron connect ${visible(card.payload.provider)}`,
      ];
    case "CalendarEventsCard":
      return renderEvents(card.payload);
    case "CalendarEventCard":
      return renderEvent(card.payload);
    case "SlackMessagesCard":
      return renderSlack(card.payload);
    default:
      return [`${card.kind} ${oneLine(JSON.stringify(card.payload))}`];
  }
}

const questions: Readonly<Record<string, string>> = {
  gmail_send: "Approve sending this email?",
  gmail_draft_send: "Approve sending this email?",
  calendar_event_create: "Approve adding this event?",
  calendar_event_update: "Approve changing this event?",
};

function renderApproval(approval: CardPayload<"ApprovalCard">, now: Date): string[] {
  const {
    approvalId,
    tool,
    digest,
    reason,
    preview,
    expiresAt,
    risks = [],
    difference = [],
  } = approval;
  const id = shortId(approvalId);
  return [
    questions[tool] ?? `Approve ${visible(tool)}?`,
    `  ${indent(preview, 2)}`,
    "",
    ...[...describeRisks(risks), ...describeDiff(difference)].map((text) =>
      text === "" ? "" : `  ${text}`,
    ),
    ...fields([
      ["Why", visible(reason)],
      ["Digest", digest],
      ["Expires", `${until(expiresAt, now)} (${localTime(expiresAt)})`],
      ["Approve", `bron approvals approve ${id} --digest ${digest}`],
      ["Deny", `bron approvals deny ${id} --digest ${digest}`],
    ]),
  ];
}

function renderSummary(summary: CardPayload<"RunSummaryCard">): string[] {
  const {
    outcome,
    reason,
    code,
    highlights,
    failed = [],
    sentMessageId,
    sentAt,
    partialAnswer,
    nextAction,
  } = summary;
  const head = { succeeded: "Succeeded", failed: "Failed", canceled: "Canceled" }[outcome];
  return [
    `${head}${reason === undefined ? "." : `: ${visible(reason)}`}${code === undefined ? "" : ` (code ${code})`}`,
    ...fields([
      ["Done", outcome === "succeeded" ? undefined : visible(highlights.join("\n") || "nothing")],
      ["Not done", visible(failed.join("\n"))],
      [
        "Sent",
        sentMessageId === undefined
          ? undefined
          : `${visible(sentMessageId)}${sentAt === undefined ? "" : `, ${localTime(sentAt)}`}`,
      ],
      ["Answer so far", partialAnswer === undefined ? undefined : visible(partialAnswer)],
      ["Next step", nextAction === undefined ? undefined : visible(nextAction)],
    ]),
  ];
}
