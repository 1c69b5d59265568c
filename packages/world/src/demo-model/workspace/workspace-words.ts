import type { CallWords } from "../flow/flow.ts";
import type { Language } from "../mail/language.ts";
import { wordsIn } from "../mail/mail-words.ts";
import type { WorkspaceRole } from "./workspace-tools.ts";

type OwnDoing = Omit<CallWords<WorkspaceRole>["doing"], keyof ReturnType<typeof wordsIn>["doing"]>;

interface OwnWords {
  readonly doing: OwnDoing;
  readonly noToday: string;
  readonly noSuchDay: string;
  tooLong(what: string): string;
  onlyThis(others: string): string;
}

const own: Readonly<Record<Language, OwnWords>> = {
  en: {
    doing: {
      clock: "look at the clock",
      events: "look into your calendar",
      enterEvent: "enter the event",
      changeEvent: "change the event",
      channels: "list the Slack channels",
      talk: "read the Slack channel",
      page: "read the page",
    },
    noToday:
      "I could not find out which day it is today, so I do not know which days you mean. Name the date, with its year.",
    noSuchDay: "There is no such day. Which one do you mean?",
    tooLong: (what) =>
      `I could not ${what}: the answer was too long and came cut off. Ask about less at once.`,
    onlyThis: (others) => `I did not do this: ${others}. Please ask for it by itself.`,
  },
  de: {
    doing: {
      clock: "auf die Uhr sehen",
      events: "in deinen Kalender sehen",
      enterEvent: "den Termin eintragen",
      changeEvent: "den Termin ändern",
      channels: "die Slack-Kanäle auflisten",
      talk: "den Slack-Kanal lesen",
      page: "die Seite lesen",
    },
    noToday:
      "Ich konnte nicht herausfinden, welcher Tag heute ist, und weiß deshalb nicht, welche Tage du meinst. Nenne das Datum mit Jahr.",
    noSuchDay: "Diesen Tag gibt es nicht. Welchen meinst du?",
    tooLong: (what) =>
      `Das ging nicht: ${what}. Die Antwort war zu lang und kam abgeschnitten. Frage nach weniger auf einmal.`,
    onlyThis: (others) => `Das habe ich nicht getan: ${others}. Bitte frage danach für sich.`,
  },
  fr: {
    doing: {
      clock: "regarder l'heure",
      events: "regarder dans votre agenda",
      enterEvent: "inscrire l'événement",
      changeEvent: "modifier l'événement",
      channels: "lister les canaux Slack",
      talk: "lire le canal Slack",
      page: "lire la page",
    },
    noToday:
      "Je n'ai pas pu savoir quel jour nous sommes et ne sais donc pas de quels jours vous parlez. Donnez la date avec l'année.",
    noSuchDay: "Ce jour n'existe pas. Lequel voulez-vous dire ?",
    tooLong: (what) =>
      `Je n'ai pas pu ${what} : la réponse était trop longue et est arrivée coupée. Demandez moins à la fois.`,
    onlyThis: (others) => `Je n'ai pas fait ceci : ${others}. Demandez-le à part.`,
  },
};

export interface WorkspaceWords extends CallWords<WorkspaceRole>, Omit<OwnWords, "doing"> {}

export function workspaceWordsIn(language: Language): WorkspaceWords {
  const mail = wordsIn(language);
  return { ...mail, ...own[language], doing: { ...mail.doing, ...own[language].doing } };
}
