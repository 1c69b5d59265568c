import type { Language } from "./language.ts";
import type { MailSearch } from "./mail-task.ts";

interface Counted {
  readonly count: number;
  /** The search found more emails than it returned. */
  readonly hasMore: boolean;
  readonly query: string;
  readonly search: MailSearch;
}

/** Query terms that the sentence expresses in words. */
const spokenTerms =
  /(?:^|\s)(?:from:(?:"[^"]*"|\S+)|newer_than:\S+|is:unread|is:starred|in:sent|in:inbox)(?=\s|$)/g;

/** "You have 4 unread emails from the last 7 days." Unusual query terms are quoted at the end. */
export function sayCount(counted: Counted, language: Language): string {
  const { count, hasMore, query, search } = counted;
  const has = (term: string) => query.split(/\s+/).includes(term);
  const facts: CountFacts = {
    count,
    hasMore,
    sender: search.sender ?? "",
    isUnread: has("is:unread"),
    isStarred: has("is:starred"),
    isSent: has("in:sent"),
    isInInbox: has("in:inbox"),
    period: search.age === undefined ? "" : periods[language](search.age),
    rest: query.replace(spokenTerms, "").trim(),
  };
  return sentences[language](facts);
}

interface CountFacts {
  readonly count: number;
  readonly hasMore: boolean;
  readonly sender: string;
  readonly isUnread: boolean;
  readonly isStarred: boolean;
  readonly isSent: boolean;
  readonly isInInbox: boolean;
  readonly period: string;
  readonly rest: string;
}

const sentences: Readonly<Record<Language, (facts: CountFacts) => string>> = {
  en: ({ count, hasMore, sender, period, rest, ...is }) =>
    join([
      "You have",
      hasMore ? "more than" : "",
      count === 0 ? "no" : String(count),
      is.isUnread ? "unread" : "",
      is.isStarred ? "starred" : "",
      is.isSent ? "sent" : "",
      count === 1 && !hasMore ? "email" : "emails",
      is.isInInbox ? "in your inbox" : "",
      sender === "" ? "" : `from ${sender}`,
      period === "" ? "" : `${sender === "" ? "from" : "in"} the last ${period}`,
      rest === "" ? "" : `matching ${rest}`,
    ]),
  de: ({ count, hasMore, sender, period, rest, ...is }) => {
    const ending = count === 0 ? "n" : "";
    return join([
      "Du hast",
      hasMore ? "mehr als" : "",
      count === 0 ? "keine" : count === 1 ? "eine" : String(count),
      is.isUnread ? `ungelesene${ending}` : "",
      is.isStarred ? `markierte${ending}` : "",
      is.isSent ? `gesendete${ending}` : "",
      count === 1 && !hasMore ? "Mail" : "Mails",
      is.isInInbox ? "im Posteingang" : "",
      sender === "" ? "" : `von ${sender}`,
      period,
      rest === "" ? "" : `zur Suche ${rest}`,
    ]);
  },
  fr: ({ count, hasMore, sender, period, rest, ...is }) => {
    const plural = count > 1 ? "s" : "";
    return join([
      count === 0 ? "Vous n'avez" : "Vous avez",
      hasMore ? "plus de" : "",
      count === 0 ? "aucun" : String(count),
      `mail${plural}`,
      is.isUnread ? `non lu${plural}` : "",
      is.isStarred ? `suivi${plural}` : "",
      is.isSent ? `envoyé${plural}` : "",
      is.isInInbox ? "dans la boîte de réception" : "",
      sender === "" ? "" : `de ${sender}`,
      period,
      rest === "" ? "" : `pour la recherche ${rest}`,
    ]);
  },
};

/** Reads Gmail's "7d", "12h", "2m" or "1y". */
const periods: Readonly<Record<Language, (age: string) => string>> = {
  en: (age) => {
    const [count, unit] = amountOf(age);
    if (unit === "d" && count === 1) return "24 hours";
    const name = { h: "hour", d: "day", m: "month", y: "year" }[unit];
    return count === 1 ? name : `${count} ${name}s`;
  },
  de: (age) => {
    const [count, unit] = amountOf(age);
    if (unit === "d" && count === 1) return "aus den letzten 24 Stunden";
    if (count === 1)
      return {
        h: "aus der letzten Stunde",
        d: "",
        m: "aus dem letzten Monat",
        y: "aus dem letzten Jahr",
      }[unit];
    return `aus den letzten ${count} ${{ h: "Stunden", d: "Tagen", m: "Monaten", y: "Jahren" }[unit]}`;
  },
  fr: (age) => {
    const [count, unit] = amountOf(age);
    if (unit === "d" && count === 1) return "des dernières 24 heures";
    if (count === 1)
      return { h: "de la dernière heure", d: "", m: "du dernier mois", y: "de la dernière année" }[
        unit
      ];
    return `des ${count} ${{ h: "dernières heures", d: "derniers jours", m: "derniers mois", y: "dernières années" }[unit]}`;
  },
};

function amountOf(age: string): readonly [number, "h" | "d" | "m" | "y"] {
  const unit = age.at(-1);
  return [Number.parseInt(age, 10), unit === "h" || unit === "m" || unit === "y" ? unit : "d"];
}

function join(words: readonly string[]): string {
  return `${words.filter((word) => word !== "").join(" ")}.`;
}
