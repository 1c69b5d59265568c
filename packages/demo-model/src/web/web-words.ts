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
    says: (url) => `From ${url}:`,
    saysAbout: (url, topic) => `What ${url} says about ${topic}:`,
    nothingAbout: (url, topic) => `${url} says nothing about ${topic}. It starts with:`,
    empty: (url) => `I couldn't find any text on ${url}.`,
    further: (count) => `(${count} more ${count === 1 ? "line" : "lines"})`,
    cut: (url) => `${url} was too long to read in full, so something may be missing.`,
    prices: "prices",
    subject: (host) => `From ${host}`,
  },
  de: {
    says: (url) => `Von ${url}:`,
    saysAbout: (url, topic) => `Das steht auf ${url} zu ${topic}:`,
    nothingAbout: (url, topic) => `Auf ${url} steht nichts zu ${topic}. Die Seite beginnt so:`,
    empty: (url) => `Auf ${url} habe ich keinen Text gefunden.`,
    further: (count) => `(noch ${count} ${count === 1 ? "Zeile" : "Zeilen"})`,
    cut: (url) => `${url} war zu lang, um alles zu lesen. Es kann also etwas fehlen.`,
    prices: "Preisen",
    subject: (host) => `Von ${host}`,
  },
  fr: {
    says: (url) => `Extrait de ${url} :`,
    saysAbout: (url, topic) => `Ce que dit ${url} au sujet de ${topic} :`,
    nothingAbout: (url, topic) =>
      `${url} ne dit rien au sujet de ${topic}. La page commence ainsi :`,
    empty: (url) => `Je n'ai trouvé aucun texte sur ${url}.`,
    further: (count) => `(encore ${count} ${count === 1 ? "ligne" : "lignes"})`,
    cut: (url) => `${url} était trop long pour être lu en entier, il peut manquer quelque chose.`,
    prices: "prix",
    subject: (host) => `Extrait de ${host}`,
  },
};

export function webWordsIn(language: Language): WebWords {
  return all[language];
}
