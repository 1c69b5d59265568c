import type { CallWords } from "../flow/flow.ts";
import type { Language } from "../mail/language.ts";
import { wordsIn } from "../mail/mail-words.ts";
import type { WorkspaceRole } from "./workspace-tools.ts";

type OwnDoing = Omit<CallWords<WorkspaceRole>["doing"], keyof ReturnType<typeof wordsIn>["doing"]>;

interface OwnWords {
  readonly doing: OwnDoing;
  readonly noToday: string;
  readonly noSuchDay: string;
  readonly tooLong: string;
  onlyThis(others: string): string;
}

const own: Readonly<Record<Language, OwnWords>> = {
  en: {
    doing: {
      clock: "check the time",
      events: "check your calendar",
      enterEvent: "add the event",
      changeEvent: "update the event",
      channels: "list the Slack channels",
      talk: "read the Slack channel",
      page: "read the page",
    },
    noToday:
      "I couldn't find out today's date, so I don't know which days you mean. Give me the date, including the year.",
    noSuchDay: "That day doesn't exist. Which one do you mean?",
    tooLong: "There was too much to read. Try a shorter period.",
    onlyThis: (others) => `I didn't do this: ${others}. Ask me for it separately.`,
  },
  de: {
    doing: {
      clock: "die Uhrzeit prüfen",
      events: "deinen Kalender prüfen",
      enterEvent: "den Termin eintragen",
      changeEvent: "den Termin ändern",
      channels: "die Slack-Kanäle auflisten",
      talk: "den Slack-Kanal lesen",
      page: "die Seite lesen",
    },
    noToday:
      "Ich konnte nicht herausfinden, welcher Tag heute ist, und weiß deshalb nicht, welche Tage du meinst. Nenne das Datum mit Jahr.",
    noSuchDay: "Diesen Tag gibt es nicht. Welchen meinst du?",
    tooLong: "Das war zu viel zum Lesen. Versuch es mit einem kürzeren Zeitraum.",
    onlyThis: (others) => `Das habe ich nicht getan: ${others}. Frag mich getrennt danach.`,
  },
  fr: {
    doing: {
      clock: "vérifier l'heure",
      events: "consulter votre agenda",
      enterEvent: "ajouter l'événement",
      changeEvent: "modifier l'événement",
      channels: "lister les canaux Slack",
      talk: "lire le canal Slack",
      page: "lire la page",
    },
    noToday:
      "Je n'ai pas pu savoir quel jour nous sommes et ne sais donc pas de quels jours vous parlez. Donnez la date avec l'année.",
    noSuchDay: "Ce jour n'existe pas. De quel jour parlez-vous ?",
    tooLong: "Il y avait trop à lire. Essayez une période plus courte.",
    onlyThis: (others) => `Je n'ai pas fait ceci : ${others}. Demandez-le-moi séparément.`,
  },
};

export interface WorkspaceWords extends CallWords<WorkspaceRole>, Omit<OwnWords, "doing"> {}

export function workspaceWordsIn(language: Language): WorkspaceWords {
  const mail = wordsIn(language);
  return { ...mail, ...own[language], doing: { ...mail.doing, ...own[language].doing } };
}
