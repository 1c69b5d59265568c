import type { MailInput } from "../google/compose-mail.ts";

interface Invitation {
  readonly uid: string;
  readonly organizer: string;
  readonly summary: string;
  readonly description?: string;
  readonly location?: string;
  readonly guests?: readonly string[];
  /** In UTC. */
  readonly start: Date;
}

/** An iCalendar file as calendars attach it to invitations. */
export function invitationFile({
  uid,
  organizer,
  summary,
  description,
  location,
  guests = [],
  start,
}: Invitation): NonNullable<MailInput["attachments"]>[number] {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//hostile//demo//EN",
    "METHOD:REQUEST",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `DTSTAMP:${stamp(start)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(new Date(start.getTime() + 3_600_000))}`,
    `ORGANIZER:mailto:${organizer}`,
    ...["mara@lindqvist.example", ...guests].map(
      (guest) => `ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:${guest}`,
    ),
    `SUMMARY:${escapeText(summary)}`,
    ...(description === undefined ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    ...(location === undefined ? [] : [`LOCATION:${escapeText(location)}`]),
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return {
    filename: "invite.ics",
    contentType: "text/calendar; method=REQUEST; charset=utf-8",
    content: Buffer.from(`${lines.map(fold).join("\r\n")}\r\n`, "utf8"),
  };
}

const stamp = (time: Date) => time.toISOString().replace(/[-:]|\.\d+/g, "");

const escapeText = (text: string) => text.replace(/[\\;,]/g, "\\$&").replaceAll("\n", "\\n");

/** RFC 5545 allows 75 octets per line. Counting letters is enough because the texts are Latin. */
const fold = (line: string) => line.match(/.{1,70}/gu)?.join("\r\n ") ?? "";
