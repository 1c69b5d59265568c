import { responseStatusOf, isRevised } from "./compare-events.ts";
import type { InvitationMethod } from "./invitations/invitation-ics.ts";
import type { StoredEvent } from "./stored-event.ts";

export type SendUpdates = "all" | "externalOnly" | "none";

export interface Notice {
  readonly to: string;
  readonly method: InvitationMethod;
}

interface NoticeOptions {
  readonly calendarId: string;
  /** The author of the change, who needs no notification. */
  readonly account: string;
  readonly before: StoredEvent | undefined;
  readonly after: StoredEvent;
  readonly sendUpdates: SendUpdates;
  readonly hasAccount: (address: string) => boolean;
}

/** The emails about a change and their recipients. */
export function noticesOf({
  calendarId,
  account,
  before,
  after,
  sendUpdates,
  hasAccount,
}: NoticeOptions): readonly Notice[] {
  if (sendUpdates === "none") return [];
  const all =
    after.organizer.email === calendarId
      ? byOrganizer(before, after)
      : byGuest(before, after, calendarId);
  return all.filter(
    ({ to }) => to !== account && to !== calendarId && (sendUpdates === "all" || !hasAccount(to)),
  );
}

function byOrganizer(before: StoredEvent | undefined, after: StoredEvent): Notice[] {
  const [invitedBefore, invitedNow] = [guestsOf(before), guestsOf(after)];
  if (after.status === "cancelled")
    return before?.status === "cancelled"
      ? []
      : invitedBefore.map((to) => ({ to, method: "CANCEL" }));
  const isForAll = !before || isRevised(before, after);
  return [
    ...invitedNow
      .filter((guest) => isForAll || !invitedBefore.includes(guest))
      .map((to) => ({ to, method: "REQUEST" as const })),
    ...invitedBefore
      .filter((guest) => !invitedNow.includes(guest))
      .map((to) => ({ to, method: "CANCEL" as const })),
  ];
}

function byGuest(before: StoredEvent | undefined, after: StoredEvent, guest: string): Notice[] {
  const isDropped = after.status === "cancelled" && before?.status !== "cancelled";
  const isAnswered =
    before !== undefined && responseStatusOf(before, guest) !== responseStatusOf(after, guest);
  return isDropped || isAnswered ? [{ to: after.organizer.email, method: "REPLY" }] : [];
}

function guestsOf(event: StoredEvent | undefined): string[] {
  return (event?.attendees ?? []).flatMap(({ email, resource }) =>
    resource === true || email === event?.organizer.email ? [] : [email],
  );
}
