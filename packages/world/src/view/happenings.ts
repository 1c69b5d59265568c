import type { WorldRecord } from "../google/state/record.ts";

export interface Happening {
  readonly at: string;
  /** The app that was connected, or the owner's own hand. */
  readonly by: "app" | "owner";
  readonly what: string;
  readonly detail: string;
}

const most = 100;

/** What others could notice, newest first. */
export function happenings({ sent, calendar, posted }: WorldRecord): Happening[] {
  const all: Happening[] = [
    ...sent.map(({ time, by, subject, recipients, account }) => ({ at: time, by, what: "Mail sent", detail: `“${subject}” from ${account} to ${recipients.envelope.join(", ")}` })),
    ...calendar.map(({ time, by, kind, event, account, notified }) => ({ at: time, by, what: `Event ${kind}`, detail: `“${event.summary ?? ""}” in the calendar of ${account}${notified.length > 0 ? `; mail to ${notified.join(", ")}` : ""}` })),
    ...posted.map((post) => ({ at: post.time, by: "app" as const, what: "Written in Slack", detail: `#${post.channelName}: ${post.text}` })),
  ];
  return all.toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, most);
}
