import {
  actionFailureWords,
  askedForWords,
  authWords,
  failureWords,
  logSentences,
  nextActionWords,
  notDoneWords,
  outageWords,
  unfinishedChildWords,
} from "@bron/protocol";
import { approvalWords } from "./approval.ts";

const listNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  EmailSearchResultsCard: ["email", "emails"],
  AttachmentSummaryCard: ["file", "files"],
  CalendarEventsCard: ["event", "events"],
  SlackMessagesCard: ["message", "messages"],
};

export const cardsWords = {
  found: (count: number) => (count === 1 ? "Found 1 email" : `Found ${count} emails`),
  foundNone: "No emails found",
  /** A list in one line. The text names what is in it, or for Slack the channel. */
  listed: (kind: string, count: number, text: string) => {
    const [one, many] = listNames[kind] ?? ["item", "items"];
    const what = `${count} ${count === 1 ? one : many}`;
    if (text === "") return what;
    return kind === "SlackMessagesCard" ? `${what} in ${text}` : `${what}: ${text}`;
  },
  attachments: "Attachments",
  fields: (source: string) => `Details from ${source}`,
  field: "Field",
  value: "Value",
  /** Beside a value that was extracted. */
  check: "Check this",
  unsure: "Not sure",
  notFound: "Not in the file",
  moreFound: (count: number) => `Show ${count} more`,
  draft: "Draft saved (not sent)",
  sent: "Sent",
  calendar: "Your calendar",
  calendarNone: "No events",
  event: "Event",
  eventDeleted: "Event (deleted)",
  allDay: "all day",
  timeIn: (time: string, city: string) => `${time} ${city} time`,
  timeAt: (time: string, offset: string) => `${time} (${offset})`,
  yourTime: (time: string) => `${time} your time`,
  slack: "Slack",
  slackNone: "No messages",
  replies: (count: number) => (count === 1 ? "1 reply" : `${count} replies`),
  done: "Done",
  unread: (names: readonly string[]) =>
    names.length === 1
      ? `Bron didn't read the attached file ${names[0]}.`
      : `Bron didn't read these attached files: ${names.join(", ")}.`,
  reusedEarlier: (done: string, isUnknown: boolean) =>
    `Reused from the earlier task: ${done}${isUnknown ? " (unconfirmed)" : ""}`,
  times: (count: number) => `×${count}`,
  failed: "Failed",
  canceled: "Stopped",
  failures: failureWords,
  actionFailures: actionFailureWords,
  auth: authWords,
  outages: outageWords,
  askedFor: askedForWords,
  log: logSentences,
  notDone: { ...notDoneWords, reasons: approvalWords.reasons, failures: actionFailureWords },
  unfinished: unfinishedChildWords,
  stopped: "This task was stopped.",
  nextActions: nextActionWords,
  next: "Next step",
  messageId: "Message ID",
  reconnect: "Sign in to continue",
  howToCheck: "How to check",
  settleNote: "Note (optional)",
  settledByYou: "Confirmed by you",
} as const;
