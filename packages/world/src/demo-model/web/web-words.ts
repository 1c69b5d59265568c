import type { Language } from "../mail/language.ts";

export interface WebWords {
  says(url: string): string;
  saysAbout(url: string, topic: string): string;
  nothingAbout(url: string, topic: string): string;
  empty(url: string): string;
  further(count: number): string;
  cut(url: string): string;
  readonly prices: string;
  subject(host: string): string;
}

const all: Readonly<Record<Language, WebWords>> = {
  en: {
    says: (url) => `What ${url} says:`,
    saysAbout: (url, topic) => `What ${url} says about ${topic}:`,
    nothingAbout: (url, topic) => `${url} says nothing about ${topic}. It begins with:`,
    empty: (url) => `${url} has no text that I could read.`,
    further: (count) => `(${count} more ${count === 1 ? "line" : "lines"})`,
    cut: (url) => `${url} was longer than what I could read; there may be more in it.`,
    prices: "prices",
    subject: (host) => `From ${host}`,
  },
  de: {
    says: (url) => `Das steht auf ${url}:`,
    saysAbout: (url, topic) => `Das steht auf ${url} zu ${topic}:`,
    nothingAbout: (url, topic) => `Auf ${url} steht nichts zu ${topic}. Die Seite beginnt so:`,
    empty: (url) => `Auf ${url} steht kein Text, den ich lesen konnte.`,
    further: (count) => `(noch ${count} ${count === 1 ? "Zeile" : "Zeilen"})`,
    cut: (url) => `${url} war länger, als ich lesen konnte; es kann noch mehr darin stehen.`,
    prices: "Preisen",
    subject: (host) => `Von ${host}`,
  },
  fr: {
    says: (url) => `Ce que dit ${url} :`,
    saysAbout: (url, topic) => `Ce que dit ${url} au sujet de ${topic} :`,
    nothingAbout: (url, topic) =>
      `${url} ne dit rien au sujet de ${topic}. La page commence ainsi :`,
    empty: (url) => `${url} n'a pas de texte que j'aie pu lire.`,
    further: (count) => `(encore ${count} ${count === 1 ? "ligne" : "lignes"})`,
    cut: (url) => `${url} était plus long que ce que j'ai pu lire ; il peut y avoir autre chose.`,
    prices: "prix",
    subject: (host) => `Extrait de ${host}`,
  },
};

export function webWordsIn(language: Language): WebWords {
  return all[language];
}
