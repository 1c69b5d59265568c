import { quotationsIn } from "../policy/owner-words/quotations.ts";
import { typedWords } from "../policy/owner-words/typed-words.ts";
import type { RunLabels } from "../policy/run-labels.ts";
import { plainText } from "./memory-digest.ts";
import { sentencesOf } from "./sentences.ts";

/** How people ask to remember something. What follows is the statement. */
const request =
  /^(?:(?:please|bitte|bron|also|por favor|s'il te plaît|per favore)[,:]? )*(?:(?:remember|note|save|keep in mind|memorize|don't forget|don’t forget|do not forget)(?: this| it)?(?:,? that)?|merk(?:e)? dir(?:,? dass| bitte)?|vergiss nicht(?:,? dass)?|notiere(?: dir)?(?:,? dass)?|souviens-toi(?: que)?|retiens(?: que)?|n'oublie pas que|recuerda(?: que)?|no olvides que|ricorda(?:ti)?(?: che)?|onthoud(?: dat)?|lembre-se(?: de)?(?: que)?|zapamiętaj(?:,? że)?)\s*[:,]?\s+/u;

/** Stands for a quotation: what others said is not the owner's statement. */
const quoted = "\uFFFC";

/**
 * Whether a text is what the owner typed in this task: one or more of their sentences, whole and in
 * order, so that no "never" before them is left out. A question is no statement.
 */
export function isSaidByOwner(text: string, { typed }: Pick<RunLabels, "typed">): boolean {
  const wanted = plainText(text);
  if (wanted === "" || wanted.includes(quoted)) return false;
  return typed.some(({ content, asTyped }) => {
    const words = asTyped ? content : typedWords(content).words;
    const sentences = statementsOf(words);
    return sentences.some((_, index) => startsWith(sentences.slice(index), wanted));
  });
}

/** Whether the first of these sentences are the text, with or without a request to remember it. */
function startsWith(sentences: readonly string[], wanted: string): boolean {
  const [first = "", ...others] = sentences;
  return [first, first.replace(request, "")].some((begin) => {
    let joined = begin;
    if (plainText(joined) === wanted) return true;
    for (const next of others) {
      joined = `${joined} ${next}`;
      if (joined.length > wanted.length * 2 + 20) return false;
      if (plainText(joined) === wanted) return true;
    }
    return false;
  });
}

/** The sentences of a text. The lines below "Never do this:" belong to that sentence. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let isBelow = false;
  for (const part of sentencesOf(withoutQuoted(text))) {
    const sentence = part.trim();
    const last = statements.length - 1;
    if (isBelow && sentence !== "") statements[last] = `${statements[last] ?? ""} ${sentence}`;
    else if (sentence !== "") statements.push(sentence.toLowerCase());
    isBelow = sentence !== "" && (isBelow || sentence.endsWith(":"));
  }
  return statements.filter((statement) => !/[?？]$/u.test(statement));
}

function withoutQuoted(text: string): string {
  let result = "";
  let from = 0;
  for (const { start, end } of quotationsIn(text)) {
    result += `${text.slice(from, start)}${quoted}`;
    from = end;
  }
  return result + text.slice(from);
}
