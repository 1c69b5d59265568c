import type { RecordedCalendarChange, SimulatorRecord } from "../google/state/record.ts";

export interface ActivityEntry {
  readonly at: string;
  /** The connected app, or the owner in the provider's own interface. */
  readonly by: "app" | "owner";
  readonly what: string;
  readonly detail: string;
}

const maxEntries = 100;
const changes = {
  inserted: "Event added",
  patched: "Event changed",
  deleted: "Event deleted",
} as const;

/** Changes that other people can see, newest first. */
export function listActivity({ sent, calendar, posted }: SimulatorRecord): ActivityEntry[] {
  const all: ActivityEntry[] = [
    ...sent.map(({ time, by, subject, recipients, account }) => ({
      at: time,
      by,
      what: "Email sent",
      detail: `"${subject}" · ${account} → ${recipients.envelope.join(", ")}`,
    })),
    ...calendar.map(({ time, by, kind, event, account, notified }) => ({
      at: time,
      by,
      what: changes[kind],
      detail: `${eventInWords(event)} · ${account}'s calendar${notified.length > 0 ? `; email to ${notified.join(", ")}` : ""}`,
    })),
    ...posted.map((post) => ({
      at: post.time,
      by: "app" as const,
      what: "Slack message",
      detail: `${post.channelName.startsWith("@") ? "" : "#"}${post.channelName}: ${post.text}`,
    })),
  ];
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, maxEntries);
}

/** The event after the change: title, time, place, recurrence and guests. */
function eventInWords({
  summary = "",
  start,
  end,
  location = "",
  recurrence = [],
  attendees = [],
}: RecordedCalendarChange["event"]): string {
  const at = (time: typeof start) =>
    time?.date ?? time?.dateTime?.slice(0, 16).replace("T", " ") ?? "";
  const zone = start?.timeZone === undefined ? "" : ` (${start.timeZone})`;
  const guests = attendees.flatMap(({ email, self, organizer }) =>
    self === true || organizer === true ? [] : [email],
  );
  return [
    `"${summary}" · ${at(start)} to ${at(end)}${zone}`,
    location,
    recurrence.join(" "),
    guests.length > 0 ? `with ${guests.join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
