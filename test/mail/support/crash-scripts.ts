import type { Reader, Script } from "@bron/testing";
import { draftAndSend, resultOf } from "./mail-script.ts";

/**
 * The task of the worker that is killed. The prompt becomes the subject, so that runs can be told
 * apart in the simulator's record.
 */
export type CrashTask = "mail" | "event" | "post";

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

/**
 * How the words of a task are read. Looking up every word in Slack, as the default does, would make
 * a busy machine lose its leases.
 */
export const crashReaders: Partial<Readonly<Record<CrashTask, Reader>>> = {
  post: () => ({ asks: [], prohibitions: [] }),
};
