import { wordsIn } from "../policy/owner-words/words-in.ts";

/** Words around a name or title that do not belong to it. */
const fillers = new Set(
  "the a an my our your his her their this that der die das den dem mein meine meinen meinem unser unsere le la les mon ma mes el los las mi il lo gli mio mia de het een mijn ten tę to".split(
    " ",
  ),
);

/** The words of a mention by which a person or thing is found, in the spelling of addresses. */
export function nameWords(mention: string): string[] {
  const words = wordsIn(mention);
  const own = words.filter((word) => !fillers.has(word));
  return own.length === 0 ? words : own;
}
