import type { Language } from "../mail/language.ts";

export interface SlackWords {
  channels(count: number): string;
  readonly notReadable: string;
  readonly noChannels: string;
  readonly whichChannel: string;
  /** `period` is empty for the latest messages. */
  read(channel: string, count: number, period: string): string;
  nothing(channel: string, period: string): string;
  nothingAbout(channel: string, topic: string): string;
  nothingBy(channel: string, writer: string): string;
  period(from: string, to: string): string;
  lastDays(days: number): string;
  readonly decisions: string;
  readonly questions: string;
  readonly others: string;
  readonly noDecisions: string;
  readonly noQuestions: string;
  further(count: number): string;
  readonly olderUnread: string;
  conversationsUnread(count: number): string;
  subject(channel: string): string;
}

const all: Readonly<Record<Language, SlackWords>> = {
  en: {
    channels: (count) => `${count === 1 ? "1 channel" : `${count} channels`}:`,
    notReadable: "can't read it, not invited",
    noChannels: "No channels found.",
    whichChannel: "Which one do you mean? Write it as #name.",
    read: (channel, count, period) =>
      `#${channel}, ${period === "" ? "latest" : period} (${count === 1 ? "1 message" : `${count} messages`})`,
    nothing: (channel, period) =>
      `No messages in #${channel}${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) => `No messages about ${topic} in #${channel} in that period.`,
    nothingBy: (channel, writer) => `No messages from ${writer} in #${channel} in that period.`,
    period: (from, to) => (from === to ? from : `${from} to ${to}`),
    lastDays: (days) => `last ${days} days`,
    decisions: "Decisions:",
    questions: "Questions:",
    others: "Other:",
    noDecisions: "No decisions found.",
    noQuestions: "No questions found.",
    further: (count) => `(and ${count} more)`,
    olderUnread: "I didn't read the older messages of that period.",
    conversationsUnread: (count) =>
      `I didn't read the replies to ${count === 1 ? "1 message" : `${count} messages`}.`,
    subject: (channel) => `Summary of #${channel}`,
  },
  de: {
    channels: (count) => `${count === 1 ? "1 Kanal" : `${count} Kanäle`}:`,
    notReadable: "nicht lesbar, nicht eingeladen",
    noChannels: "Keine Kanäle gefunden.",
    whichChannel: "Welchen davon meinst du? Schreib ihn als #name.",
    read: (channel, count, period) =>
      `#${channel}, ${period === "" ? "die neuesten" : period} (${count === 1 ? "1 Nachricht" : `${count} Nachrichten`})`,
    nothing: (channel, period) =>
      `Keine Nachrichten in #${channel}${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) =>
      `Keine Nachrichten zu ${topic} in #${channel} in diesem Zeitraum.`,
    nothingBy: (channel, writer) =>
      `Keine Nachrichten von ${writer} in #${channel} in diesem Zeitraum.`,
    period: (from, to) => (from === to ? from : `${from} bis ${to}`),
    lastDays: (days) => `letzte ${days} Tage`,
    decisions: "Entscheidungen:",
    questions: "Fragen:",
    others: "Weiteres:",
    noDecisions: "Keine Entscheidungen gefunden.",
    noQuestions: "Keine Fragen gefunden.",
    further: (count) => `(und ${count} weitere)`,
    olderUnread: "Die älteren Nachrichten aus diesem Zeitraum habe ich nicht gelesen.",
    conversationsUnread: (count) =>
      `Die Antworten auf ${count === 1 ? "1 Nachricht" : `${count} Nachrichten`} habe ich nicht gelesen.`,
    subject: (channel) => `Zusammenfassung von #${channel}`,
  },
  fr: {
    channels: (count) => `${count === 1 ? "1 canal" : `${count} canaux`} :`,
    notReadable: "illisible, non invité",
    noChannels: "Aucun canal trouvé.",
    whichChannel: "De quel canal parlez-vous ? Écrivez-le #nom.",
    read: (channel, count, period) =>
      `#${channel}, ${period === "" ? "les plus récents" : period} (${count === 1 ? "1 message" : `${count} messages`})`,
    nothing: (channel, period) =>
      `Aucun message dans #${channel}${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) =>
      `Aucun message sur ${topic} dans #${channel} pendant cette période.`,
    nothingBy: (channel, writer) =>
      `Aucun message de ${writer} dans #${channel} pendant cette période.`,
    period: (from, to) => (from === to ? from : `du ${from} au ${to}`),
    lastDays: (days) => `${days} derniers jours`,
    decisions: "Décisions :",
    questions: "Questions :",
    others: "Autres :",
    noDecisions: "Aucune décision trouvée.",
    noQuestions: "Aucune question trouvée.",
    further: (count) => `(et ${count} de plus)`,
    olderUnread: "Je n'ai pas lu les messages plus anciens de cette période.",
    conversationsUnread: (count) =>
      `Je n'ai pas lu les réponses à ${count === 1 ? "1 message" : `${count} messages`}.`,
    subject: (channel) => `Résumé de #${channel}`,
  },
};

export function slackWordsIn(language: Language): SlackWords {
  return all[language];
}
