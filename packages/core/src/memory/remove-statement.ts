import { memoryTerms, memoryWords } from "./memory-words.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * Leaves out every sentence of a summary that contains a statement, or most of its words. It rather
 * removes a sentence too many than leaves a forgotten one.
 */
export function removeStatement(summary: string, statement: string): string {
  const terms = memoryTerms(statement);
  const needed = Math.max(1, Math.ceil(terms.length / 2));
  const kept = sentencesOf(summary).filter((sentence) => {
    const words = memoryWords(sentence);
    const found = terms.filter(({ stem }) => words.some((word) => word.startsWith(stem)));
    return found.length < needed;
  });
  const isSame = kept.length === sentencesOf(summary).length;
  return isSame ? summary : joined(kept);
}

function joined(sentences: readonly string[]): string {
  let text = "";
  for (const sentence of sentences)
    text += text === "" || text.endsWith("\n") ? sentence : ` ${sentence}`;
  return text.trim();
}
