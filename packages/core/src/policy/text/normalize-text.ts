/** Combining marks. The last two are classified as letters, but decompose to marks. */
const longRunOfMarks = /[\p{M}\uff9e\uff9f]{30}/gu;

/**
 * `text.normalize(form)` in linear time. The engine takes quadratic time to sort the marks of one
 * letter. So a run of more than 30 marks, which no writing system has, is normalized in pieces. The
 * limit is that of Unicode's Stream-Safe Text Format.
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
