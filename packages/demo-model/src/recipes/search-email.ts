import type { Given, Step } from "../recipe/recipe.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { months, numberOf, numberPattern, plusDays, sayDay, takeDays } from "./days.ts";
import { fieldOf, listOf, objectsOf, textOf } from "./json.ts";
import { nameOf } from "./people.ts";

/** A kind of document: its names in the order of their likelihood, and related kinds. */
export interface DocumentKind {
  readonly names: readonly string[];
  readonly related: readonly string[];
}

interface MailSearch {
  readonly sender?: string | undefined;
  readonly document?: DocumentKind | undefined;
  readonly words?: readonly string[] | undefined;
  /** File types: "pdf". */
  readonly types?: readonly string[] | undefined;
  /** A period as Gmail writes it: "30d". */
  readonly age?: string | undefined;
  readonly isUnread?: boolean | undefined;
  readonly needsAttachment?: boolean;
  /** Leaves out the owner's own emails. */
  readonly isFromOthers?: boolean;
  /** Only the owner's own emails. */
  readonly isSent?: boolean | undefined;
  /** All names of the document count, and nothing outside of the period. */
  readonly isList?: boolean;
}

export interface MailMatch {
  readonly messageId: string;
  readonly threadId: string;
  readonly from: string;
  readonly subject: string;
  readonly date: string;
  readonly snippet: string;
  readonly files: readonly string[];
}

export interface SearchValues {
  found?: {
    readonly query: string;
    readonly hasMore: boolean;
    readonly matches: readonly MailMatch[];
  };
}

/**
 * Builds up to three Gmail queries, from the strictest to the broadest. The second allows other
 * names of the document and any of the words. The third drops the age and adds related kinds.
 */
export function mailQueries(search: MailSearch): readonly string[] {
  const { sender, document, words = [], types = [], age } = search;
  const { names = [], related = [] } = document ?? {};
  const others =
    search.isSent === true ? "in:sent" : search.isFromOthers === true ? "-from:me" : "";
  const from = sender === undefined ? others : `from:${quoted(sender)}`;
  const [firstName = ""] = sender?.split(" ") ?? [];
  const anywhere =
    sender?.includes("@") === false ? quoted(firstName.length > 2 ? firstName : sender) : from;
  const attachment = search.needsAttachment === true || types.length > 0 ? "has:attachment" : "";
  const [first = "", end] = age?.split("/") ?? [];
  const newer =
    end !== undefined
      ? `after:${first.replaceAll("-", "/")} before:${end.replaceAll("-", "/")}`
      : age === undefined
        ? ""
        : `newer_than:${age}`;
  const unread = search.isUnread === true ? "is:unread" : "";
  const files = anyOf(types.map((type) => `filename:${type}`));
  const subject = names[0] === undefined ? "" : `subject:${quoted(names[0])}`;
  const loose = names.length === 0 ? anyOf(words.map(quoted)) : "";
  const every = [from, anyOf(names.map(quoted)), ...words.map(quoted), attachment, files];
  const queries = (
    search.isSent === true || (search.isList === true && names.length > 0)
      ? [[...every, unread, newer]]
      : [
          [from, subject, ...words.map(quoted), attachment, files, unread, newer],
          [from, anyOf(names.map(quoted)), loose, attachment, unread, newer],
          [anywhere, anyOf([...names, ...related].map(quoted)), loose, attachment, unread],
        ]
  ).map((terms) => terms.filter((term) => term !== "").join(" "));
  const useful = queries.filter(
    (query, index) => !["", "-from:me"].includes(query) && queries.indexOf(query) === index,
  );
  return useful.length === 0 ? ["in:inbox"] : useful;
}

function quoted(words: string): string {
  return /^[\p{L}\d@._+-]+$/u.test(words) ? words : `"${words.replaceAll('"', "")}"`;
}

function anyOf(terms: readonly string[]): string {
  return terms.length > 1 ? `{${terms.join(" ")}}` : (terms[0] ?? "");
}

/** Reads the result of gmail_search. */
export function readSearch(result: unknown): SearchValues["found"] {
  const matches = objectsOf(fieldOf(result, "matches") ?? fieldOf(result, "messages")).map(
    (match): MailMatch => ({
      messageId: textOf(match, "messageId"),
      threadId: textOf(match, "threadId"),
      from: textOf(match, "from"),
      subject: textOf(match, "subject"),
      date: textOf(match, "date"),
      snippet: textOf(match, "snippet"),
      files: listOf(match["attachments"]).map((file) =>
        typeof file === "string" ? file : textOf(file, "filename"),
      ),
    }),
  );
  return {
    query: textOf(result, "query"),
    hasMore: fieldOf(result, "more") === true,
    matches: matches.filter(({ messageId, threadId }) => messageId !== "" || threadId !== ""),
  };
}

/**
 * Searches with broader and broader queries until one finds something. Nothing found is could_not,
 * unless that is an answer.
 */
export function searchEmail<V extends SearchValues>(
  search: (values: V & Given) => MailSearch,
  mayFindNothing: (values: V & Given) => boolean = () => false,
): readonly Step<V>[] {
  return [
    {
      call: "gmail_search",
      with: (values) =>
        mailQueries(search(values)).map((query) => ({
          query,
          maxResults: search(values).isList === true ? 25 : 10,
        })),
      until: (result) => ((result as SearchValues["found"])?.matches.length ?? 0) > 0,
      doing: "search your email",
      as: "found",
      read: readSearch,
    },
    {
      if: ({ found }) => found?.matches.length === 0,
      say: "I couldn't find a matching email.",
      stop: true,
      outcome: (values) => (mayFindNothing(values) ? "done" : "could_not"),
    },
    {
      if: (values) =>
        values.found?.query !== "" && values.found?.query !== mailQueries(search(values))[0],
      say: "No exact match, so I broadened the search.",
    },
  ];
}

export interface MailMessage extends MailMatch {
  readonly text: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly attachmentId?: string;
  }[];
}

export interface MessageValues extends SearchValues {
  match?: MailMatch;
  message?: MailMessage | undefined;
}

/** Reads a message, or the message of a thread that `match` names. */
function readMessage(result: unknown, { match }: MessageValues): MailMessage | undefined {
  const all = objectsOf(fieldOf(result, "messages") ?? [result]);
  const own = all.find((one) => one["messageId"] === match?.messageId) ?? all.at(-1);
  if (own === undefined || match === undefined) return undefined;
  return {
    ...match,
    ...readSearch({ matches: [{ ...match, ...own }] })?.matches[0],
    text: textOf(own, "text"),
    attachments: objectsOf(own["attachments"]).map((file) => ({
      filename: textOf(file, "filename"),
      ...(textOf(file, "attachmentId") === ""
        ? {}
        : { attachmentId: textOf(file, "attachmentId") }),
    })),
  };
}

/** Reads the message `match`, or its thread if that is not possible. */
export const openMessage: readonly Step<MessageValues>[] = [
  {
    call: "gmail_message_read|gmail_getMessage",
    with: ({ match }) => ({ messageId: match?.messageId }),
    doing: "read the email",
    as: "message",
    read: readMessage,
    rescue: () => undefined,
  },
  {
    if: ({ message }) => message === undefined,
    call: "gmail_thread_read",
    with: ({ match }) => ({ threadId: match?.threadId }),
    doing: "read the conversation",
    as: "message",
    read: readMessage,
  },
  {
    if: ({ message }) => message === undefined,
    say: "I couldn't read the email.",
    stop: true,
    outcome: "could_not",
  },
];

/** Reads the conversation of `match`. */
export const openThread: readonly Step<MessageValues>[] = [
  {
    call: "gmail_thread_read",
    with: ({ match }) => ({ threadId: match?.threadId }),
    doing: "read the conversation",
    as: "message",
    read: readMessage,
  },
  {
    if: ({ message }) => message === undefined,
    say: "I couldn't read the email.",
    stop: true,
    outcome: "could_not",
  },
];

export function sayMatch({ date, from, subject }: MailMatch): string {
  return `${sayDay(date.slice(0, 10), true)}, ${nameOf(from)}: ${subject}`;
}

/** The last month of this name, as its first day and the first day after it. */
function monthOf({ month = "", year }: Partial<Record<string, string>>, today: string): string {
  const at = months.split("|").findIndex((one) => new RegExp(`^(?:${one})$`, "i").test(month));
  const thisYear = Number(today.slice(0, 4));
  const own = at < Number(today.slice(5, 7)) ? thisYear : thisYear - 1;
  const first = (offset: number) =>
    new Date(Date.UTC(Number(year ?? own), at + offset, 1)).toISOString().slice(0, 10);
  return `${first(0)}/${first(1)}`;
}

/** Takes a period as Gmail writes it, "30d", or its first day and the day after it. */
export const age: SlotReader<string> = (text, { today }) => {
  const named = text.takeGroups(
    new RegExp(
      `\\b(?:from|in|of|during) (?<month>${months})(?: (?<year>20\\d{2}))?(?=\\s*(?:[,.;?!]|$)|\\s+(?:and|about|that)\\b|\\s{2})`,
    ),
  );
  if (named !== undefined && today !== "") return monthOf(named, today);
  const groups = text.takeGroups(
    new RegExp(
      `(?:\\b(?:from|in|of|within|during|over)\\s+)?(?:the )?\\b(?:last|past)\\s+(?<count>${numberPattern})\\s+(?<unit>hour|day|week|month|year)s?\\b`,
    ),
  );
  if (groups !== undefined) {
    const count = numberOf((groups["count"] ?? "").toLowerCase());
    const unit = (groups["unit"] ?? "").toLowerCase();
    return unit === "week" ? `${count * 7}d` : `${count}${unit.charAt(0)}`;
  }
  const [since] = /\bsince\s+(?:last|yesterday)\b/i.exec(text.rest()) ?? [];
  const period = text
    .take(
      /(?:\b(?:from|in|of|within|during|since)\s+)?\b(?<value>today|yesterday|(?:this|last|the last|the past|past) (?:week|month|year))\b/,
    )
    ?.toLowerCase();
  if (period === undefined) return undefined;
  const isSince = since !== undefined;
  const past =
    period === "today" || isSince || today === "" ? undefined : takeDays(createText(period), today);
  if (past !== undefined && /^(?:last|yesterday)/.test(period) && !period.endsWith("year"))
    return `${past.from}/${plusDays(past.to, 1)}`;
  if (past !== undefined && period.startsWith("this month"))
    return `${past.from}/${plusDays(today, 1)}`;
  if (period === "this year" && today !== "")
    return `${today.slice(0, 4)}-01-01/${plusDays(today, 1)}`;
  if (period === "today") return "1d";
  if (period === "yesterday") return "2d";
  const isLast = period.startsWith("last");
  const year = Number(today.slice(0, 4)) - 1;
  if (isLast && period.endsWith("year") && today !== "") return `${year}-01-01/${year + 1}-01-01`;
  if (period.endsWith("week")) return isLast ? "14d" : "7d";
  return `${isLast ? 2 : 1}${period.endsWith("month") ? "m" : "y"}`;
};

/** " from the last 7 days" */
export function sayAge(period: string | undefined): string {
  const [first = "", end] = period?.split("/") ?? [];
  if (end !== undefined) {
    const days = [sayDay(first, true), sayDay(plusDays(end, -1), true)];
    return ` from ${[...new Set(days)].join(" to ")}`;
  }
  const [, count = "", unit = ""] = /^(\d+)([hdmy])$/.exec(period ?? "") ?? [];
  const noun = { h: "hour", d: "day", m: "month", y: "year" }[unit];
  if (noun === undefined) return "";
  return ` from the last ${count === "1" ? noun : `${count} ${noun}s`}`;
}
