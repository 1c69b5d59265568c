import { sayShortDay } from "../when/say-when.ts";
import { buildQueries } from "./build-query.ts";
import { rankMatches } from "./choose-mail.ts";
import type { Report } from "../flow/flow.ts";
import { explain, type MailFlow } from "./mail-flow.ts";
import {
  nameOf,
  readMessages,
  readSearchResults,
  type MailMessage,
  type SearchMatch,
} from "./mail-results.ts";
import type { MailTask } from "./mail-task.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

export interface FoundMail {
  readonly query: string;
  /** Best match first. */
  readonly matches: readonly SearchMatch[];
  readonly hasMore: boolean;
}

/**
 * Broadens the search until it finds something. Reports and returns undefined if it finds nothing.
 */
export function* searchMail(
  task: MailTask,
  report: Report,
  words: MailWords,
): MailFlow<FoundMail | undefined> {
  const needsAttachment = task.kind === "document";
  // These tasks report what they found themselves.
  const isStrict = task.kind === "count" || task.kind === "list";
  const built = buildQueries(task.search, task.kind);
  const queries =
    built.length === 0 ? ["in:inbox"] : task.kind === "count" ? built.slice(0, 1) : built;
  for (const [index, query] of queries.entries()) {
    const outcome = yield {
      role: "search",
      args: { query, maxResults: isStrict ? 20 : 10 },
      detail: query,
    };
    if (
      outcome.status === "missing" ||
      outcome.status === "denied" ||
      (outcome.status !== "done" && index === queries.length - 1)
    ) {
      report.add(explain("search", outcome, words));
      return undefined;
    }
    if (outcome.status !== "done") continue;
    const { matches, hasMore } = readSearchResults(outcome.value);
    if (matches.length === 0 && task.kind !== "count") continue;
    if (index > 0) report.add(words.loosened);
    if (!isStrict) report.add(words.found(matches.length));
    return { query, hasMore, matches: rankMatches(matches, task.search, needsAttachment) };
  }
  report.add(words.nothingFound);
  return undefined;
}

/** Reads a match with the first available tool, and with the other one if that fails. */
export function* readMatch(
  match: SearchMatch,
  entireThread: boolean,
  { report, words }: { report: Report; words: MailWords },
): MailFlow<readonly MailMessage[] | undefined> {
  const message = {
    role: "message",
    args: { messageId: match.messageId },
    detail: match.subject,
  } as const;
  const thread = {
    role: "thread",
    args: { threadId: match.threadId },
    detail: match.subject,
  } as const;
  const order = (entireThread ? [thread, message] : [message, thread]).filter(({ args }) =>
    Object.values(args).every((id) => id !== ""),
  );
  let problem: string | undefined;
  for (const wanted of order) {
    const outcome = yield wanted;
    const messages = outcome.status === "done" ? readMessages(outcome.value) : [];
    if (messages.length > 0) {
      report.add(
        words.readMail(match.subject, nameOf(match.from), sayShortDay(match.date, words.language)),
      );
      return messages;
    }
    if (outcome.status !== "done" && (problem === undefined || outcome.status !== "missing"))
      problem = explain(wanted.role, outcome, words);
  }
  if (problem !== undefined) report.add(problem);
  return undefined;
}
