import type { RecordedCalendarChange, SimulatorRecord } from "../google/state/record.ts";

export interface ActivityEntry {
  readonly at: string;
  /** The app that was connected, or the owner's own hand. */
  readonly by: "app" | "owner";
  readonly what: string;
  readonly detail: string;
}

const most = 100;
const changes = {
  inserted: "Event entered",
  patched: "Event changed",
  deleted: "Event deleted",
} as const;

/** What others could notice, newest first. */
export function listActivity({ sent, calendar, posted }: SimulatorRecord): ActivityEntry[] {
  const all: ActivityEntry[] = [
    ...sent.map(({ time, by, subject, recipients, account }) => ({
      at: time,
      by,
      what: "Mail sent",
      detail: `“${subject}” from ${account} to ${recipients.envelope.join(", ")}`,
    })),
    ...calendar.map(({ time, by, kind, event, account, notified }) => ({
      at: time,
      by,
      what: changes[kind],
      detail: `${eventInWords(event)}, in the calendar of ${account}${notified.length > 0 ? `; mail to ${notified.join(", ")}` : ""}`,
    })),
    ...posted.map((post) => ({
      at: post.time,
      by: "app" as const,
      what: "Written in Slack",
      detail: `#${post.channelName}: ${post.text}`,
    })),
  ];
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, most);
}

/** As it was afterwards: what it is called, when and where, how often, and with whom. */
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
    `“${summary}”, ${at(start)} to ${at(end)}${zone}`,
    location,
    recurrence.join(" "),
    guests.length > 0 ? `with ${guests.join(", ")}` : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}
