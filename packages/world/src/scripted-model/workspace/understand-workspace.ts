import type { CalendarTask } from "../calendar/calendar-task.ts";
import { understandInvitation, type InvitationTask } from "../calendar/invitation-task.ts";
import { understandCalendar } from "../calendar/understand-calendar.ts";
import { intent } from "../mail/intent-words.ts";
import { detectLanguage, type Language } from "../mail/language.ts";
import { createScratch } from "../mail/scratch.ts";
import { takeOwnWords } from "../mail/take-own-words.ts";
import { takeOutQuotes } from "../planner/quotes.ts";
import { understandSlack, type SlackTask } from "../slack/slack-task.ts";
import { understandWeb, type WebTask } from "../web/web-task.ts";

export interface UnderstoodWorkspace {
  readonly language: Language;
  readonly task: CalendarTask | InvitationTask | SlackTask | WebTask;
}

/** Characters outside quotations; a longer task is not for a model of rules, and would keep its server busy. */
const longestTask = 2_000;

/** Undefined when the words are about neither calendar, chat nor web. */
export function understandWorkspace(words: string): UnderstoodWorkspace | undefined {
  const { text, restore } = takeOutQuotes(unquoteAddresses(words));
  if (text.length > longestTask) return undefined;
  const scratch = createScratch(splitCompounds(text.replace(/\s+/g, " ").trim()));
  const language = detectLanguage(words);
  const isLetter = scratch.has(/@|\b(?:e-?mails?|mails?)\b/) && (scratch.has(intent.sending) || scratch.has(intent.drafting) || scratch.has(intent.replying));
  const understandEvents = () => understandInvitation(scratch, restore) ?? (scratch.has(intent.mail) && !scratch.has(/@/) ? undefined : understandCalendar({ scratch, restore, subject: own?.subject, language }));
  // What stands in the user's own letter is said to others, not to us.
  const own = isLetter ? takeOwnWords(scratch, restore, false) : undefined;
  const task = understandWeb(scratch, own?.subject) ?? understandSlack(scratch, own?.subject, language) ?? (own?.bodyText === undefined ? understandEvents() : undefined);
  return task === undefined ? undefined : { language, task };
}

/** An address of the web in quotation marks is still one. */
function unquoteAddresses(words: string): string {
  return words.replace(/["“”„'«»]\s?(https?:\/\/[^\s"“”„'«»]+)\s?["“”„'«»]/g, "$1");
}

/** "Donnerstagnachmittag" is a day and a part of it. */
function splitCompounds(text: string): string {
  return text.replace(/((?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(vormittag|nachmittag|mittag|abend|morgen|früh)/giu, "$1 $2");
}
