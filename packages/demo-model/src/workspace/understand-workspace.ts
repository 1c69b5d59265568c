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

export type WorkspaceTask = CalendarTask | InvitationTask | SlackTask | WebTask;

export interface UnderstoodWorkspace {
  readonly language: Language;
  /** In the order of the task. */
  readonly tasks: readonly WorkspaceTask[];
}

/** The limit counts characters outside quotations. Longer tasks would keep the server busy. */
const longestTask = 2_000;
const maxTasks = 5;
const betweenTasks =
  /(?:[.;?!]\s+|,?\s+(?:and|then|und|dann|et|puis)\s+(?:then\s+|dann\s+|ensuite\s+)?|,\s+)(?=(?:what|when|which|who|how|am i|do i|is|show|list|tell|summari[sz]e|read|schedule|book|put|add|set up|create|move|reschedule|postpone|rename|invite|find|was|wann|welche|bin ich|habe ich|zeige?|fasse?|lies|trage?|plane?|verschiebe?|benenne|lade|füge?|qu|quand|quels?|quelles?|suis-je|ai-je|montre|résume|lis|mets|planifie|déplace|décale|renomme|ajoute|invite)(?![\p{L}]))/giu;

/**
 * Returns undefined for tasks that are not about calendar, chat or web. A task is split into
 * several only if each part can be understood alone.
 */
export function understandWorkspace(words: string): UnderstoodWorkspace | undefined {
  const { text, restore } = takeOutQuotes(unquoteAddresses(words));
  if (text.length > longestTask) return undefined;
  const language = detectLanguage(words);
  const read = (part: string) =>
    understandTask(splitCompounds(part.replace(/\s+/g, " ").trim()), restore, language);
  const parts = text.split(betweenTasks);
  const several = parts.length > 1 && parts.length <= maxTasks ? parts.map(read) : [];
  const asOneTask = read(text);
  const tasks =
    several.length > 1 && several.every((task) => task !== undefined)
      ? several
      : asOneTask === undefined
        ? []
        : [asOneTask];
  return tasks.length === 0 ? undefined : { language, tasks };
}

function understandTask(
  text: string,
  restore: (text: string) => string,
  language: Language,
): WorkspaceTask | undefined {
  const scratch = createScratch(text);
  const isEmail =
    scratch.has(/@|\b(?:e-?mails?|mails?)\b/) &&
    (scratch.has(intent.sending) || scratch.has(intent.drafting) || scratch.has(intent.replying));
  // Quoted text of the user's email is addressed to others, not to the model.
  const own = isEmail ? takeOwnWords(scratch, restore, false) : undefined;
  const task =
    understandWeb(scratch, own?.subject) ?? understandSlack(scratch, own?.subject, language);
  if (task !== undefined || own?.bodyText !== undefined) return task;
  const invitation = understandInvitation(scratch, restore);
  const isMail = scratch.has(intent.mail) && !scratch.has(/@/);
  return (
    invitation ??
    (isMail ? undefined : understandCalendar({ scratch, restore, subject: own?.subject, language }))
  );
}

/** A quoted URL still counts as a URL. */
function unquoteAddresses(words: string): string {
  return words.replace(/["“”„'«»]\s?(https?:\/\/[^\s"“”„'«»]+)\s?["“”„'«»]/g, "$1");
}

/** "Donnerstagnachmittag" names a day and a part of the day. */
function splitCompounds(text: string): string {
  return text.replace(
    /((?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(vormittag|nachmittag|mittag|abend|morgen|früh)/giu,
    "$1 $2",
  );
}
