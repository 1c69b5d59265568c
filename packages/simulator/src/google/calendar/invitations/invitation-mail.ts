import { createHash } from "node:crypto";
import { mailDate } from "../../gmail/outgoing.ts";
import { escapeHtml } from "../../html.ts";
import type { StoredEvent } from "../stored-event.ts";
import { invitationIcs, type InvitationMethod } from "./invitation-ics.ts";
import { whenWords } from "./when-words.ts";

interface Mailed {
  readonly subject: string;
  readonly raw: Buffer;
}

interface InvitationMailOptions {
  readonly event: StoredEvent;
  readonly method: InvitationMethod;
  readonly from: { readonly address: string; readonly name: string };
  readonly to: string;
  /** The time zone of the times in the text. */
  readonly timeZone: string;
  readonly now: Date;
}

const beginnings: Readonly<Record<InvitationMethod, (event: StoredEvent, from: string) => string>> =
  {
    REQUEST: ({ sequence }) => (sequence === 0 ? "Invitation" : "Updated invitation"),
    CANCEL: () => "Canceled event",
    REPLY: ({ attendees }, from) =>
      responses[attendees?.find(({ email }) => email === from)?.responseStatus ?? "needsAction"],
  };
const responses = {
  accepted: "Accepted",
  declined: "Declined",
  tentative: "Tentatively Accepted",
  needsAction: "Unanswered",
} as const;

/**
 * The bytes of Google's email about an event: text, the calendar part that mail programs act on,
 * and the same as a file.
 */
export function invitationMail({
  event: nameless,
  method,
  from,
  to,
  timeZone,
  now,
}: InvitationMailOptions): Mailed {
  const event =
    nameless.organizer.email === from.address
      ? { ...nameless, organizer: { email: from.address, displayName: from.name } }
      : nameless;
  const when = whenWords(event, timeZone);
  const subject = `${beginnings[method](event, from.address)}: ${event.summary ?? "(No title)"} @ ${when}${method === "REPLY" ? "" : ` (${to})`}`;
  const text = wordsOf(event, { method, when, to });
  const ics = invitationIcs(event, { method, replier: from.address, now: now.getTime() });
  const name = createHash("sha256")
    .update([event.iCalUID, event.id, event.version, method, to].join(" "))
    .digest("hex")
    .slice(0, 28);
  const [mixed, alternative] = [`${name}-mixed`, `${name}-words`];
  const lines = [
    `Reply-To: ${mailbox(from)}`,
    "Sender: Google Calendar <calendar-notification@google.example>",
    `Message-ID: <calendar-${name}@google.example>`,
    `Date: ${mailDate(now)}`,
    `Subject: ${encodedWords(subject)}`,
    `From: ${mailbox(from)}`,
    `To: ${to}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${mixed}"`,
    "",
    `--${mixed}`,
    `Content-Type: multipart/alternative; boundary="${alternative}"`,
    "",
    ...part(alternative, 'text/plain; charset="UTF-8"', text),
    ...part(
      alternative,
      'text/html; charset="UTF-8"',
      `<html><body><p>${escapeHtml(text).replaceAll("\n", "<br>")}</p></body></html>`,
    ),
    ...part(alternative, `text/calendar; charset="UTF-8"; method=${method}`, ics),
    `--${alternative}--`,
    ...part(mixed, 'application/ics; name="invite.ics"', ics, [
      'Content-Disposition: attachment; filename="invite.ics"',
    ]),
    `--${mixed}--`,
    "",
  ];
  return { subject, raw: Buffer.from(lines.join("\r\n"), "utf8") };
}

function wordsOf(
  event: StoredEvent,
  {
    method,
    when,
    to,
  }: { readonly method: InvitationMethod; readonly when: string; readonly to: string },
): string {
  const guests = (event.attendees ?? []).map(
    ({ email, displayName, optional }) =>
      `${displayName ?? email}${email === event.organizer.email ? " - organizer" : optional === true ? " - optional" : ""}`,
  );
  return [
    ...(method === "CANCEL" ? ["This event has been canceled.", ""] : []),
    event.summary ?? "(No title)",
    `When: ${when}`,
    ...(event.location === undefined ? [] : [`Where: ${event.location}`]),
    `Organizer: ${event.organizer.displayName ?? event.organizer.email} <${event.organizer.email}>`,
    ...(guests.length === 0 ? [] : ["Guests:", ...guests.map((guest) => `  ${guest}`)]),
    ...(event.description === undefined ? [] : ["", event.description]),
    ...(method === "REQUEST" ? ["", `Reply for ${to}: Yes, No or Maybe`] : []),
    "",
    "Invitation from Google Calendar",
  ].join("\n");
}

function part(
  boundary: string,
  type: string,
  content: string,
  headers: readonly string[] = [],
): string[] {
  const encoded =
    Buffer.from(content, "utf8")
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [
    `--${boundary}`,
    `Content-Type: ${type}`,
    ...headers,
    "Content-Transfer-Encoding: base64",
    "",
    ...encoded,
  ];
}

function mailbox({ address, name }: InvitationMailOptions["from"]): string {
  return name === ""
    ? address
    : `${encodedWords(/^[\w .-]*$/.test(name) || !isAscii(name) ? name : `"${name.replace(/["\\]/g, "")}"`)} <${address}>`;
}

/** RFC 2047 encoded words for non-ASCII text, each at most 75 characters. */
function encodedWords(text: string): string {
  const flat = text.replace(/[\r\n]+/g, " ");
  if (isAscii(flat)) return flat;
  const words: string[] = [""];
  for (const letter of flat) {
    const last = words.at(-1) ?? "";
    if (Buffer.byteLength(last + letter) > 42) words.push(letter);
    else words[words.length - 1] = last + letter;
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString("base64")}?=`).join("\r\n ");
}

// oxlint-disable-next-line eslint/no-control-regex
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);
