import { foldText } from "../reading/fold-text.ts";
import type { TalkMessage } from "./slack-results.ts";

/** A sentence as it was written in the channel. */
export interface Quote {
  readonly who: string;
  readonly day: string;
  readonly sentence: string;
}

export interface Digest {
  readonly decisions: readonly Quote[];
  readonly questions: readonly Quote[];
  readonly others: readonly Quote[];
}

const decision =
  /\b(?:decided|decides|agreed|approved|confirmed|settled|signed|from now on|says? yes|stays? (?:at|with)|stay with|no longer|let's|do it|goes? with|we (?:take|will|keep)|beschlossen|entschieden|einverstanden|genehmigt|bestatigt|abgemacht|vereinbart|ab sofort|wir nehmen|decide[es]?|d'accord|approuve[es]?|convenu[es]?|desormais|valide[es]?)\b/;
const undecided =
  /\b(?:to be|not|yet to be|still|if|nicht|noch|pas|jamais)\s+(?:be\s+)?(?:decided|agreed|approved|confirmed|settled|signed|bestatigt|entschieden|beschlossen|decides?)\b|\bto be confirmed\b/;

/**
 * Quotes decisions, questions and the first sentences of other messages, in their original order.
 */
export function digestTalk(messages: readonly TalkMessage[], topic: readonly string[]): Digest {
  const wanted = topic.map((word) => foldText(word).replace(/(?:en|es|s|n)$/, ""));
  const relevant = messages.filter(
    ({ text }) => wanted.length === 0 || wanted.some((word) => foldText(text).includes(word)),
  );
  const digest = { decisions: [] as Quote[], questions: [] as Quote[], others: [] as Quote[] };
  for (const message of relevant) {
    const sentences = sentencesOf(message.text);
    const of = (sentence: string): Quote => ({
      who: message.who,
      day: message.at.slice(0, 10),
      sentence,
    });
    const decided = sentences.filter(isDecision);
    const asked = sentences.filter((sentence) => sentence.endsWith("?"));
    digest.decisions.push(...decided.map(of));
    digest.questions.push(...asked.map(of));
    const [first] = sentences;
    if (decided.length + asked.length === 0 && first !== undefined) digest.others.push(of(first));
  }
  return digest;
}

function isDecision(sentence: string): boolean {
  const folded = foldText(sentence);
  return decision.test(folded) && !undecided.test(folded) && !sentence.endsWith("?");
}

/** Splits only after punctuation and line ends, so each sentence is an exact piece of the text. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\d]/u.test(sentence));
}
