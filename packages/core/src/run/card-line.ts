import {
  cardSchema,
  type Card,
  type CardLine,
  type ApprovalPayload,
  type EventPayloads,
} from "@bron/protocol";
import { unreachable } from "../errors.ts";

const maxCharacters = 200;

/**
 * The text may contain text from other people, unescaped. The caller must make it safe to display.
 */
export function cardLine(card: EventPayloads["ui"]): CardLine {
  const parsed = cardSchema.safeParse(card);
  if (!parsed.success) return { kind: card.kind, text: "" };
  const { kind, payload } = parsed.data;
  return {
    kind,
    text: oneLine(textOf(parsed.data)),
    ...(kind === "RunSummaryCard" && "did" in payload
      ? { outcome: payload.outcome, did: payload.did }
      : {}),
  };
}

/** The line of an approval card. The event that asks has its text. */
export function approvalLine({ preview = "" }: Pick<ApprovalPayload, "preview">): CardLine {
  return { kind: "ApprovalCard", text: oneLine(preview) };
}

function textOf({ kind, payload }: Card): string {
  switch (kind) {
    case "EmailSearchResultsCard":
      return listed(
        counted(payload.matches.length, "mail"),
        payload.matches.map(({ subject }) => subject),
      );
    case "AttachmentSummaryCard":
      return listed(
        counted(payload.attachments.length, "file"),
        payload.attachments.map(({ filename }) => filename),
      );
    case "ExtractedFieldsTable":
      return listed(
        payload.source,
        payload.fields.map(({ key, value }) => `${key} ${value}`),
      );
    case "EmailDraftCard":
      return `To ${payload.to}: ${payload.subject}`;
    case "CalendarEventsCard":
      return listed(
        counted(payload.events.length, "event"),
        payload.events.map(({ summary }) => summary),
      );
    case "CalendarEventCard":
      return `${payload.summary}, ${payload.start}`;
    case "SlackMessagesCard":
      return `${counted(payload.messages.length, "message")} in ${payload.channel}`;
    case "RunSummaryCard":
      return payload.reason ?? "";
    case "ReconnectCard":
      return payload.reason;
    case "UnknownEffectCard":
      return `Couldn't confirm whether this happened: ${payload.preview}`;
    case "ApprovalCard":
      return "";
    default:
      return unreachable(kind);
  }
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function listed(what: string, items: readonly string[]): string {
  return items.length === 0 ? what : `${what}: ${items.join(", ")}`;
}

function oneLine(text: string): string {
  // Truncate first, because a preview may be long and only its start is used.
  const line = text
    .slice(0, 10 * maxCharacters)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line;
}
