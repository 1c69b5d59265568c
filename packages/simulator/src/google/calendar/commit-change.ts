import { omitUndefined } from "@bron/protocol";
import { deliverEntry } from "../gmail/send-mail.ts";
import type { Entry } from "../state/entries.ts";
import type { StoredInvitation } from "../state/record.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import type { Calendar } from "./calendars.ts";
import type { AccessRole } from "./calendar-facts.ts";
import { eventResource, type EventResource } from "./event-resource.ts";
import { invitationMail } from "./invitations/invitation-mail.ts";
import { noticesOf, type Notice, type SendUpdates } from "./notify-guests.ts";
import { spreadChange } from "./spread-change.ts";
import type { StoredEvent } from "./stored-event.ts";

/** The author, time and options of a change. */
export interface Actor {
  readonly account: { readonly address: string; readonly name: string };
  readonly calendar: Calendar;
  readonly role: AccessRole;
  readonly sendUpdates: SendUpdates;
  readonly by: "app" | "owner";
  readonly now: Date;
  /** The number of the call in the record. */
  readonly call?: number | undefined;
}

interface EventChange {
  readonly kind: "inserted" | "patched" | "deleted";
  readonly before?: StoredEvent | undefined;
  readonly after: StoredEvent;
}

/** Commits the event in all calendars, the emails and the record of the change at once. */
export function commitChange(
  state: SimulatorState,
  actor: Actor,
  { kind, before, after }: EventChange,
): EventResource {
  const { account, calendar, now, by, call } = actor;
  const calendarId = calendar.facts.id;
  const placed = spreadChange(state.calendars(), { calendar, before, after, now });
  const notices = noticesOf({
    calendarId,
    account: account.address,
    before,
    after,
    sendUpdates: actor.sendUpdates,
    hasAccount: (address) => state.mailbox(address) !== undefined,
  });
  const mails = notices.map((notice) =>
    mailAbout(state, actor, {
      event: kind === "deleted" ? { ...after, attendees: before?.attendees } : after,
      notice,
    }),
  );
  const event = eventResource(after, {
    calendar: calendar.facts,
    role: actor.role,
    timeZone: calendar.timeZone,
  });
  const entries: Entry[] = [
    ...placed.map((one) => ({ type: "event" as const, ...one })),
    ...mails.flatMap(({ delivered }) => delivered),
    {
      type: "calendar",
      change: {
        ...omitUndefined({ call }),
        by,
        time: now.toISOString(),
        account: account.address,
        calendarId,
        eventId: after.id,
        kind,
        event,
        notified: notices.map(({ to }) => to),
        invitations: mails.map(({ invitation }) => invitation),
      },
    },
  ];
  state.commit(entries, call);
  return event;
}

function mailAbout(
  state: SimulatorState,
  { account, calendar, now }: Actor,
  { event, notice: { to, method } }: { readonly event: StoredEvent; readonly notice: Notice },
): { readonly invitation: StoredInvitation; readonly delivered: Entry[] } {
  const mailbox = state.mailbox(to);
  const { raw, subject } = invitationMail({
    event,
    method,
    from: account,
    to,
    timeZone: calendar.timeZone,
    now,
  });
  return {
    invitation: {
      to,
      method,
      subject,
      isOutside: mailbox === undefined,
      rawDigest: state.keepRaw(raw),
    },
    delivered: mailbox
      ? [
          deliverEntry(
            state,
            mailbox,
            Buffer.concat([Buffer.from(`Delivered-To: ${to}\r\n`), raw]),
            now,
          ),
        ]
      : [],
  };
}
