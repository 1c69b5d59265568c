/** Lower case without accents, one character for each of the text's, so that a place found in it is a place in the text. */
export function foldText(text: string): string {
  let folded = "";
  for (let at = 0; at < text.length; at += 1) folded += foldCharacter(text.charAt(at));
  return folded;
}

/** Letters that Unicode does not take apart. */
const undivided: Readonly<Record<string, string>> = { ß: "s", ł: "l", ø: "o", đ: "d" };

function foldCharacter(character: string): string {
  if (character === "’" || character === "‘") return "'";
  const [base = character] = character.normalize("NFD").toLowerCase();
  return undivided[base] ?? base;
}
