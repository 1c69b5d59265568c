import { foldText } from "../reading/fold-text.ts";
import type { TalkMessage } from "./slack-results.ts";

/** A sentence that somebody really wrote. */
export interface Said {
  readonly who: string;
  readonly day: string;
  readonly sentence: string;
}

export interface Digest {
  readonly decisions: readonly Said[];
  readonly questions: readonly Said[];
  readonly others: readonly Said[];
}

const decision =
  /\b(?:decided|decides|agreed|approved|confirmed|settled|signed|from now on|says? yes|stays? (?:at|with)|stay with|no longer|let's|do it|goes? with|we (?:take|will|keep)|beschlossen|entschieden|einverstanden|genehmigt|bestatigt|abgemacht|vereinbart|ab sofort|wir nehmen|decide[es]?|d'accord|approuve[es]?|convenu[es]?|desormais|valide[es]?)\b/;
const undecided =
  /\b(?:to be|not|yet to be|still|if|nicht|noch|pas|jamais)\s+(?:be\s+)?(?:decided|agreed|approved|confirmed|settled|signed|bestatigt|entschieden|beschlossen|decides?)\b|\bto be confirmed\b/;

/** Word for word, in the order in which it was written: what was decided and asked, then the beginnings of the rest. */
export function digestTalk(messages: readonly TalkMessage[], topic: readonly string[]): Digest {
  const wanted = topic.map((word) => foldText(word).replace(/(?:en|es|s|n)$/, ""));
  const fitting = messages.filter(
    ({ text }) => wanted.length === 0 || wanted.some((word) => foldText(text).includes(word)),
  );
  const digest = { decisions: [] as Said[], questions: [] as Said[], others: [] as Said[] };
  for (const message of fitting) {
    const sentences = sentencesOf(message.text);
    const of = (sentence: string): Said => ({
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

/** Cut behind full stops and lines only, so that each is a piece of the text. */
function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\d]/u.test(sentence));
}
