/** Quoted words are taken out while a task is cut into clauses, so that nothing inside them is read as a command. */
const opening = "\uE200";
const closing = "\uE201";

/** Matches one quotation that was taken out. */
export const quotation = `${opening}\\d+${closing}`;

const pairs = /(?<![\w"'])(?:"([^"\n]+)"|'([^'\n]+?)'(?!\w))/g;

export interface Quoted {
  /** The task with marks for its quotations. */
  readonly text: string;
  /** The words themselves, for a mark or for a text with marks in it. */
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
      const whole = new RegExp(`^${quotation}$`).test(marked);
      return marked.replace(marks, (_, index: string) =>
        whole ? (quotes[Number(index)] ?? "") : `"${quotes[Number(index)] ?? ""}"`,
      );
    },
  };
}
