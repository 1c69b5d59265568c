import type { Reader, Script } from "@bron/testing";
import { rightReader } from "../../attacks/support/right-reading.ts";
import { draftAndSend, resultOf } from "./mail-script.ts";

/**
 * The task of the worker that is killed. The prompt becomes the subject, so that runs can be told
 * apart in the simulator's record.
 */
export type CrashTask = "mail" | "forward" | "unasked" | "event" | "post";

const subjectOf = (call: Parameters<Script>[0]): string => {
  const task = call.options.prompt.findLast(({ role }) => role === "user");
  return task?.role === "user"
    ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
    : "";
};

export const crashScripts: Readonly<Record<CrashTask, Script>> = {
  mail: (call) =>
    draftAndSend({
      to: ["eva@elsewhere.example"],
      subject: subjectOf(call),
      bodyText: "Here they are.",
    })(call),
  // Forwards a mail with the prompt as its note, because the subject is that of the mail.
  forward: (call) => {
    const [found] =
      resultOf<{ matches: readonly { messageId: string }[] }>(call.options, "gmail_search")
        ?.matches ?? [];
    const steps = [
      {
        tool: "gmail_search",
        input: { query: "subject:invoice filename:pdf -in:sent", maxResults: 1 },
      },
      found && {
        tool: "gmail_forward",
        input: {
          messageId: found.messageId,
          to: ["eva@elsewhere.example"],
          note: subjectOf(call),
        },
      },
    ];
    const step = steps[call.turn];
    return step ? { calls: [step] } : { text: "That is all." };
  },
  // Calls two mails in one step. The task asks for one, so only one of them may go unasked.
  unasked: (call) =>
    call.turn > 0
      ? { text: "That is all." }
      : {
          calls: ["First.", "Second."].map((bodyText) => ({
            tool: "gmail_send",
            // The owner knows him, so that preparing does not search all mail of the cases before.
            input: { to: ["jonas@lindqvist.example"], subject: subjectOf(call), bodyText },
          })),
        },
  // Makes two effects. The second needs the result of the first.
  event: (call) => {
    if (call.turn === 0)
      return {
        calls: [
          {
            tool: "calendar_event_create",
            input: {
              summary: subjectOf(call),
              start: "2027-03-30T09:00",
              durationMinutes: 30,
              guests: ["eva@elsewhere.example"],
            },
          },
        ],
      };
    const made = resultOf<{ eventId?: string }>(call.options, "calendar_event_create")?.eventId;
    if (call.turn === 1 && made !== undefined)
      return {
        calls: [{ tool: "calendar_event_update", input: { eventId: made, location: "Moved" } }],
      };
    return { text: "That is all." };
  },
  // Makes two effects: in a channel, and as a direct message that has to be opened first.
  post: (call) => {
    const to = ["#general", "jonas@lindqvist.example"][call.turn];
    return to === undefined
      ? { text: "That is all." }
      : { calls: [{ tool: "slack_post", input: { to, text: subjectOf(call) } }] };
  },
};

/** How the prompt of the task starts that asks for one mail. */
export const askForMail = "Email jonas@lindqvist.example once: ";

const readNothing: Reader = () => ({ asks: [], prohibitions: [] });

/**
 * How the words of a task are read. Looking up every word in Slack or in mail, as the default does,
 * would make a busy machine lose its leases.
 */
export const crashReaders: Partial<Readonly<Record<CrashTask, Reader>>> = {
  post: readNothing,
  forward: readNothing,
  unasked: rightReader((text) =>
    text.startsWith(askForMail)
      ? [{ effect: "send_mail", people: ["jonas@lindqvist.example"] }]
      : [],
  ),
};
