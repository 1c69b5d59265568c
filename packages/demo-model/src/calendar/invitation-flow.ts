import { omitUndefined } from "@bron/protocol";
import { nameOf } from "../mail/mail-results.ts";
import { wordsIn } from "../mail/mail-words.ts";
import type { MailTask } from "../mail/mail-task.ts";
import { createScratch } from "../mail/scratch.ts";
import { readMatch, searchMail } from "../mail/search-flow.ts";
import type { Language } from "../mail/language.ts";
import type { DayWish } from "../when/day-wish.ts";
import { takeDays } from "../when/take-days.ts";
import { takeHours, type HourSpan } from "../when/take-hours.ts";
import {
  call,
  findDays,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { maxEvents } from "./agenda-flow.ts";
import { readEvents } from "./calendar-results.ts";
import { sayWhetherFree } from "./free-flow.ts";
import type { InvitationTask } from "./invitation-task.ts";

const noTime: Readonly<Record<Language, (subject: string, from: string) => string>> = {
  en: (subject, from) => `I couldn't find a time in "${subject}" from ${from}.`,
  de: (subject, from) => `In „${subject}“ von ${from} habe ich keine Uhrzeit gefunden.`,
  fr: (subject, from) => `Je n'ai pas trouvé d'heure dans « ${subject} » de ${from}.`,
};
const itself: Readonly<Record<Language, (title: string) => string>> = {
  en: (title) => `"${title}" is already on your calendar, so I didn't count it.`,
  de: (title) => `„${title}“ steht schon in deinem Kalender, deshalb habe ich es nicht mitgezählt.`,
  fr: (title) => `« ${title} » est déjà dans votre agenda, je ne l'ai donc pas compté.`,
};

export function* runInvitation(task: InvitationTask, context: FlowContext): WorkspaceFlow {
  const { report, language } = context;
  const words = wordsIn(language);
  const found = yield* searchMail(mailTask(task, language), report, words);
  const [best] = found?.matches ?? [];
  if (best === undefined) return;
  const messages = yield* readMatch(best, false, { report, words });
  const message =
    messages?.find(({ messageId }) => messageId === best.messageId) ?? messages?.at(-1);
  if (message === undefined) return;
  const when = readWhen(message.text) ?? readWhen(message.subject);
  if (when === undefined)
    return report.add(noTime[language](message.subject, nameOf(message.from)));
  const days = yield* findDays(when.days, context, "next");
  if (days === undefined) return;
  const day = days.from.toString();
  const listed = yield* call(
    { role: "events", args: { from: day, to: day, maxResults: maxEvents }, detail: day },
    context,
  );
  if (listed === undefined) return;
  const { events } = readEvents(listed.value);
  const own = events.filter(({ summary }) => summary !== "" && message.subject.includes(summary));
  sayWhetherFree(
    { start: when.hours.start, end: when.hours.end ?? when.hours.start + 60 },
    days.from,
    { events: events.filter((event) => !own.includes(event)), context },
  );
  report.add(...own.slice(0, 1).map(({ summary }) => itself[language](summary)));
}

/** Reads the line that names the time, or else the first line that parses as a time. */
function readWhen(text: string): { readonly days: DayWish; readonly hours: HourSpan } | undefined {
  const lines = text
    .slice(0, 5_000)
    .split("\n")
    .map((line) => line.slice(0, 300));
  for (const line of lines.toSorted((a, b) => Number(isWhen(b)) - Number(isWhen(a)))) {
    const scratch = createScratch(line);
    const days = takeDays(scratch, "en");
    const hours = takeHours(scratch);
    if (days !== undefined && hours !== undefined) return { days, hours };
  }
  return undefined;
}

function isWhen(line: string): boolean {
  return /^\s*(?:when|wann|quand|termin|date)\s?:/i.test(line);
}

function mailTask({ sender, words }: InvitationTask, language: Language): MailTask {
  return {
    kind: "read",
    language,
    outcome: "nothing",
    isReply: false,
    isToEveryone: false,
    attaches: false,
    isSummary: false,
    fields: [],
    recipients: { to: [], cc: [], bcc: [] },
    search: {
      words,
      phrases: [],
      fileTypes: [],
      hasAttachment: false,
      operators: [],
      document: ["invitation", "Einladung"],
      ...omitUndefined({ sender }),
    },
  };
}
