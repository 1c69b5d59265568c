export type QueryToken =
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "open-any" }
  | { readonly type: "close-any" }
  | { readonly type: "or" }
  | { readonly type: "and" }
  | { readonly type: "not" }
  | { readonly type: "operator"; readonly name: string }
  | { readonly type: "word"; readonly text: string; readonly isQuoted: boolean };

const operatorNames = new Set(
  (
    "from to cc bcc subject has filename newer_than older_than after before newer older in is label category " +
    "larger smaller size rfc822msgid deliveredto list"
  ).split(" "),
);

const signs: Readonly<Record<string, QueryToken>> = {
  "(": { type: "open" },
  ")": { type: "close" },
  "{": { type: "open-any" },
  "}": { type: "close-any" },
  "|": { type: "or" },
};

/** Never throws. Invalid syntax becomes a word, and an open quote extends to the end. */
export function tokenizeQuery(query: string): QueryToken[] {
  const tokens: QueryToken[] = [];
  for (let at = 0; at < query.length;) {
    const character = query[at] ?? "";
    const sign = signs[character];
    if (/\s/.test(character)) at += 1;
    else if (sign !== undefined) {
      tokens.push(sign);
      at += 1;
    } else if (character === '"') {
      const end = query.indexOf('"', at + 1);
      tokens.push({
        type: "word",
        text: query.slice(at + 1, end < 0 ? undefined : end),
        isQuoted: true,
      });
      at = end < 0 ? query.length : end + 1;
    } else if (character === "-" || character === "+") {
      const isNegation = character === "-" && /[^\s)}|]/.test(query[at + 1] ?? " ");
      if (isNegation) tokens.push({ type: "not" });
      at += 1;
    } else at += takeWord(query.slice(at, endOfWord(query, at)), tokens);
  }
  return tokens;
}

function endOfWord(query: string, at: number): number {
  const length = query.slice(at).search(/[\s(){}"]/);
  return length < 0 ? query.length : at + length;
}

/** Returns the number of consumed characters. */
function takeWord(word: string, tokens: QueryToken[]): number {
  const colon = word.indexOf(":");
  const name = word.slice(0, Math.max(colon, 0)).toLowerCase();
  if (colon > 0 && operatorNames.has(name)) {
    tokens.push({ type: "operator", name });
    return colon + 1;
  }
  if (word === "OR") tokens.push({ type: "or" });
  else if (word === "AND") tokens.push({ type: "and" });
  else tokens.push({ type: "word", text: word, isQuoted: false });
  return word.length;
}
