/** Marks that join the letter before them. The last two are letters by kind, but decompose to marks. */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{30}/gu;

/**
 * `text.normalize(form)` in linear time. Sorting the marks of one letter takes the engine the square of their number, so a run
 * of more than 30, which no writing system has, is normalized in pieces (the limit of Unicode's Stream-Safe Text Format).
 */
export function normalizeText(text: string, form: "NFC" | "NFKC" | "NFKD"): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: run } of text.matchAll(longRunOfMarks)) {
    pieces.push(text.slice(from, index + run.length).normalize(form));
    from = index + run.length;
  }
  return pieces.join("") + text.slice(from).normalize(form);
}
