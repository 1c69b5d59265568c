import { anyTime } from "../recipes/word-lists.ts";
import { contentWords } from "../words/content-words.ts";

/** Words that add nothing to a request, besides those of `contentWords`. */
const fillers = new Set(
  "change tone style version wording sound sounds start starts starting end ends last lasts long better rather guest guests am i'm like just really maybe quickly quick again still already both anyway actually hmm no oh ok okay yes yeah wait sorry well sure great good nice cool perfect fine awesome ah um ehm hm lately recently currently right exactly kindly cheers ta ur u pls plz thx bit thing things stuff somebody someone anybody anyone everybody everyone himself herself themselves it's i've i'd i'll let's there's who's where's how's got get going go us our yours mine too else way kind sort called named us's set put make let work use using only instead back same s t re".split(
    " ",
  ),
);

/** Words that `contentWords` leaves out, although they say which things are meant. */
const selecting = new Set(
  "most least starred important attachment attachments attached pdf pdfs csv xlsx excel spreadsheet spreadsheets sent unread old oldest first without previous upcoming".split(
    " ",
  ),
);

/** Parts of a request that no reader took and no phrase has. Taken words are blanks. */
export function leftOver(rest: string, phrases: readonly string[]): readonly string[] {
  const known = phrases.flatMap((phrase) => phrase.toLowerCase().split(/[\s|_^]+/));
  const isKnown = (word: string) =>
    fillers.has(word) ||
    known.some((one) => (one.endsWith("*") ? word.startsWith(one.slice(0, -1)) : word === one));
  return rest
    .replace(/\bmost recent\b/gi, (found) => " ".repeat(found.length))
    .split(/\s{2,}|[,;:.?!()]+(?:\s|$)/)
    .map((part) => part.trim().replace(/^(?:and|but|or|then|also)\s+/i, ""))
    .filter((part) =>
      [...contentWords(part), ...part.split(" ").filter((word) => selecting.has(word))].some(
        (word) => !isKnown(word.toLowerCase()),
      ),
    );
}

const condition =
  /(?<![\p{L}'])(?:if|unless|until|when|whenever|once|after|before|except|in case|as (?:soon|long) as|not|never|don't|do not|doesn't|without|only)(?![\p{L}'])/iu;

/** Whether words that nobody read could mean that something must not be done, or not yet. */
export function hasCondition(words: string): boolean {
  return condition.test(words);
}

const anyTimeIn = new RegExp(`(?<![\\p{L}\\d])(?:${anyTime})(?![\\p{L}\\d])`, "iu");

/** The first time in words: "tomorrow at 9". */
export function timeIn(words: string): string | undefined {
  return anyTimeIn.exec(words)?.[0];
}
