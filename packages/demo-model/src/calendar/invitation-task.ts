import { omitUndefined } from "@bron/protocol";
import { contentWords } from "../mail/content-words.ts";
import type { Scratch } from "../mail/scratch.ts";
import { takeSender } from "../mail/take-sender.ts";
import { takeTopic } from "../mail/take-topic.ts";
import { calendarSigns } from "./calendar-signs.ts";

/** Finds an invitation in the mail and checks whether its time is free. */
export interface InvitationTask {
  readonly area: "invitation";
  readonly sender?: string;
  readonly words: readonly string[];
}

const invitation = /\b(?:invitations?|einladung(?:en)?)\b/;

/** Returns undefined when the task does not compare an invitation with the calendar. */
export function understandInvitation(
  scratch: Scratch,
  restore: (text: string) => string,
): InvitationTask | undefined {
  if (
    !scratch.has(invitation) ||
    !scratch.has(calendarSigns.free) ||
    !scratch.has(calendarSigns.aboutMe) ||
    scratch.has(calendarSigns.waiting)
  )
    return undefined;
  const sender = takeSender(scratch, restore);
  const words = contentWords(takeTopic(scratch) ?? "");
  return { area: "invitation", words, ...omitUndefined({ sender }) };
}
