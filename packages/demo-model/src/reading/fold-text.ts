/**
 * Lowercases and removes accents, one character per character, so positions in the result are
 * positions in the text.
 */
export function foldText(text: string): string {
  let folded = "";
  for (let at = 0; at < text.length; at += 1) folded += foldCharacter(text.charAt(at));
  return folded;
}

/** Letters that Unicode normalization does not decompose. */
const undivided: Readonly<Record<string, string>> = { ß: "s", ł: "l", ø: "o", đ: "d" };

function foldCharacter(character: string): string {
  if (character === "’" || character === "‘") return "'";
  const [base = character] = character.normalize("NFD").toLowerCase();
  return undivided[base] ?? base;
}
