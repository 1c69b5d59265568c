/**
 * The names of tools in `allowed-tools`: texts with spaces or commas between them, or a list. What
 * stands in parentheses after a name limits it for other programs, and is left out. Undefined for a
 * value of another kind.
 */
export function namesOfTools(value: unknown): readonly string[] | undefined {
  if (value === null) return [];
  if (typeof value === "string") return unique(splitNames(value));
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === "string")) return undefined;
  return unique(value.flatMap(splitNames));
}

/** Linear in the length of the text. */
function splitNames(text: string): string[] {
  const names: string[] = [];
  let [name, depth] = ["", 0];
  for (const character of text) {
    if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth > 0) continue;
    else if (character === "," || /\s/.test(character)) {
      names.push(name);
      name = "";
    } else name += character;
  }
  return [...names, name].filter((found) => found !== "");
}

const unique = (names: readonly string[]) => [...new Set(names)];
