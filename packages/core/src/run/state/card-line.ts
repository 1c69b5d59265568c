import {
  cardSchema,
  type Card,
  type CardLine,
  type CardPayload,
  type ApprovalPayload,
  type EventPayloads,
  omitUndefined,
} from "@bron/protocol";
import { unreachable } from "../../errors.ts";

const maxCharacters = 200;

/**
 * The text may contain text from other people, unescaped. The caller must make it safe to display.
 */
export function cardLine(card: EventPayloads["ui"]): CardLine {
  const parsed = cardSchema.safeParse(card);
  if (!parsed.success) return { kind: card.kind, text: "" };
  const { text, ...values } = lineOf(parsed.data);
  return { kind: card.kind, text: oneLine(text), ...values };
}

/** The line of an approval card. The event that asks has its text. */
export function approvalLine({
  tool,
  preview = "",
}: Pick<ApprovalPayload, "tool" | "preview">): CardLine {
  return { kind: "ApprovalCard", text: oneLine(preview), tool };
}

function lineOf({ kind, payload }: Card): Omit<CardLine, "kind"> {
  switch (kind) {
    case "EmailSearchResultsCard":
      return listOf(payload.matches, ({ subject }) => subject);
    case "AttachmentSummaryCard":
      return listOf(payload.attachments, ({ filename }) => filename);
    case "ExtractedFieldsTable": {
      const { text } = listOf(payload.fields, ({ key, value }) => `${key} ${value}`);
      return { text: text === "" ? payload.source : `${payload.source}: ${text}` };
    }
    case "EmailDraftCard":
      return { text: `${payload.to}: ${payload.subject}` };
    case "CalendarEventsCard":
      return listOf(payload.events, ({ summary }) => summary);
    case "CalendarEventCard":
      return { text: `${payload.summary}, ${payload.start}` };
    case "SlackMessagesCard":
      return { text: payload.channel, count: payload.messages.length };
    case "RunSummaryCard":
      return "did" in payload
        ? { text: "", ...pickSummary(payload) }
        : { text: payload.reason ?? "" };
    case "ReconnectCard":
      return payload.why ? { text: "", auth: payload.why } : { text: payload.reason ?? "" };
    case "UnknownEffectCard":
      return { text: payload.preview, tool: payload.tool };
    case "ApprovalCard":
      return { text: "" };
    default:
      return unreachable(kind);
  }
}

function pickSummary({
  outcome,
  did,
  error,
}: CardPayload<"RunSummaryCard">): Pick<CardLine, "outcome" | "did" | "error"> {
  return { outcome, did, ...omitUndefined({ error }) };
}

function listOf<Item>(
  items: readonly Item[],
  name: (item: Item) => string,
): { readonly text: string; readonly count: number } {
  return { text: items.map(name).join(", "), count: items.length };
}

function oneLine(text: string): string {
  // Truncate first, because a preview may be long and only its start is used.
  const line = text
    .slice(0, 10 * maxCharacters)
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > maxCharacters ? `${line.slice(0, maxCharacters - 1).toWellFormed()}…` : line;
}
