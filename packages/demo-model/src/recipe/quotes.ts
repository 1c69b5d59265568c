/**
 * Quotations are replaced while a task is split into clauses, so their content is never read as a
 * command.
 */
const opening = "\uE200";
const closing = "\uE201";

/** Matches the mark of a replaced quotation. */
export const quotation = `${opening}\\d+${closing}`;

const pairs = /(?<![\w"'])(?:"([^"\n]+)"|'([^'\n]+?)'(?!\w))/g;

/** Whether words are one quotation and nothing else. */
export function isQuotation(words: string): boolean {
  return new RegExp(`^${quotation}$`).test(words);
}

export interface Quoted {
  /** The task with marks in place of its quotations. */
  readonly text: string;
  /** Puts the quotations back in place of their marks. */
  restore(text: string): string;
}

export function takeOutQuotes(task: string): Quoted {
  const quotes: string[] = [];
  const text = task
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(
      pairs,
      (_, double: string | undefined, single: string | undefined) =>
        `${opening}${quotes.push(double ?? single ?? "") - 1}${closing}`,
    );
  const marks = new RegExp(`${opening}(\\d+)${closing}`, "g");
  return {
    text,
    restore: (marked) => {
      const whole = isQuotation(marked);
      return marked.replace(marks, (_, index: string) =>
        whole ? (quotes[Number(index)] ?? "") : `"${quotes[Number(index)] ?? ""}"`,
      );
    },
  };
}
