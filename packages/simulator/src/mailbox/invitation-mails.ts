import { invitedEvents } from "../calendar-seed/invited-events.ts";
import { homeZone } from "../calendar-seed/working-days.ts";
import { invitationMail } from "../google/calendar/invitations/invitation-mail.ts";
import { rawContent } from "../google/state/mail-content.ts";
import { mara } from "./company.ts";
import type { SeededMail } from "./seeded-mail.ts";

/**
 * Google's invitation emails for events of other companies. They are read, unanswered and older
 * than a week.
 */
export function invitationMails(seed: number, anchor: Date): SeededMail[] {
  return invitedEvents(seed, anchor).map(({ event, organizer, method, daysAgo }) => {
    const date = new Date(Math.floor(anchor.getTime() / 1000) * 1000 - daysAgo * 86_400_000);
    const { raw } = invitationMail({
      event,
      method,
      from: organizer,
      to: mara.address,
      timeZone: homeZone,
      now: date,
    });
    const content = rawContent(raw.length, () => raw);
    return {
      date,
      firstMessageId: content.facts().messageId,
      copies: [{ address: mara.address, labelIds: ["CATEGORY_PERSONAL", "INBOX", "IMPORTANT"] }],
      content,
    };
  });
}
