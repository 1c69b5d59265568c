import type { Language } from "../mail/language.ts";

export interface SlackWords {
  channels(count: number): string;
  readonly notReadable: string;
  readonly noChannels: string;
  readonly whichChannel: string;
  /** `period` is empty for the latest. */
  read(channel: string, count: number, period: string): string;
  nothing(channel: string, period: string): string;
  nothingAbout(channel: string, topic: string): string;
  nothingBy(channel: string, writer: string): string;
  period(from: string, to: string): string;
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
    channels: (count) => `I can see ${count === 1 ? "one channel" : `${count} channels`}:`,
    notReadable: "not readable: I was not invited",
    noChannels: "I can see no channel.",
    whichChannel: "Which of them do you mean? Write it as #name.",
    read: (channel, count, period) =>
      `I read ${count === 1 ? "one message" : `${count} messages`} of #${channel}${period === "" ? ", the latest" : `, ${period}`}.`,
    nothing: (channel, period) =>
      `Nobody wrote anything in #${channel}${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) => `Nobody in #${channel} wrote about ${topic} then.`,
    nothingBy: (channel, writer) => `${writer} wrote nothing in #${channel} then.`,
    period: (from, to) => (from === to ? `of ${from}` : `from ${from} to ${to}`),
    decisions: "Decided or agreed:",
    questions: "Asked:",
    others: "Also said:",
    noDecisions: "I found no sentence that says that something was decided.",
    noQuestions: "I found no question.",
    further: (count) => `(and ${count} more)`,
    olderUnread: "There are older messages of that time which I did not read.",
    conversationsUnread: (count) =>
      `${count === 1 ? "One message has answers" : `${count} messages have answers`} that I did not read.`,
    subject: (channel) => `Summary of #${channel}`,
  },
  de: {
    channels: (count) => `Ich sehe ${count === 1 ? "einen Kanal" : `${count} Kanäle`}:`,
    notReadable: "nicht lesbar: ich bin nicht eingeladen",
    noChannels: "Ich sehe keinen Kanal.",
    whichChannel: "Welchen davon meinst du? Schreib ihn als #name.",
    read: (channel, count, period) =>
      `Ich habe ${count === 1 ? "eine Nachricht" : `${count} Nachrichten`} aus #${channel} gelesen${period === "" ? ", die neuesten" : `, ${period}`}.`,
    nothing: (channel, period) =>
      `In #${channel} hat niemand etwas geschrieben${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) =>
      `In #${channel} hat in dieser Zeit niemand über ${topic} geschrieben.`,
    nothingBy: (channel, writer) =>
      `${writer} hat in dieser Zeit nichts in #${channel} geschrieben.`,
    period: (from, to) => (from === to ? `vom ${from}` : `vom ${from} bis ${to}`),
    decisions: "Entschieden oder vereinbart:",
    questions: "Gefragt:",
    others: "Außerdem:",
    noDecisions: "Ich habe keinen Satz gefunden, der sagt, dass etwas entschieden wurde.",
    noQuestions: "Ich habe keine Frage gefunden.",
    further: (count) => `(und ${count} weitere)`,
    olderUnread: "Aus dieser Zeit gibt es ältere Nachrichten, die ich nicht gelesen habe.",
    conversationsUnread: (count) =>
      `${count === 1 ? "Eine Nachricht hat" : `${count} Nachrichten haben`} Antworten, die ich nicht gelesen habe.`,
    subject: (channel) => `Zusammenfassung von #${channel}`,
  },
  fr: {
    channels: (count) => `Je vois ${count === 1 ? "un canal" : `${count} canaux`} :`,
    notReadable: "illisible : je n'y suis pas invité",
    noChannels: "Je ne vois aucun canal.",
    whichChannel: "Lequel voulez-vous dire ? Écrivez-le #nom.",
    read: (channel, count, period) =>
      `J'ai lu ${count === 1 ? "un message" : `${count} messages`} de #${channel}${period === "" ? ", les derniers" : `, ${period}`}.`,
    nothing: (channel, period) =>
      `Personne n'a rien écrit dans #${channel}${period === "" ? "" : `, ${period}`}.`,
    nothingAbout: (channel, topic) =>
      `Personne dans #${channel} n'a écrit sur ${topic} pendant ce temps.`,
    nothingBy: (channel, writer) => `${writer} n'a rien écrit dans #${channel} pendant ce temps.`,
    period: (from, to) => (from === to ? `du ${from}` : `du ${from} au ${to}`),
    decisions: "Décidé ou convenu :",
    questions: "Demandé :",
    others: "Et aussi :",
    noDecisions: "Je n'ai trouvé aucune phrase disant que quelque chose a été décidé.",
    noQuestions: "Je n'ai trouvé aucune question.",
    further: (count) => `(et ${count} de plus)`,
    olderUnread: "Il y a des messages plus anciens de cette période que je n'ai pas lus.",
    conversationsUnread: (count) =>
      `${count === 1 ? "Un message a des réponses" : `${count} messages ont des réponses`} que je n'ai pas lues.`,
    subject: (channel) => `Résumé de #${channel}`,
  },
};

export function slackWordsIn(language: Language): SlackWords {
  return all[language];
}
