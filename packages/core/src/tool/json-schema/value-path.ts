const maxKeyCharacters = 80;

/** The place of a value, such as `attendees[2].email`. */
export function valuePath(keys: readonly PropertyKey[]): string {
  const path = keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${shorten(String(key))}`))
    .join("");
  return path === "" ? "arguments" : path.replace(/^\./, "");
}

export function shorten(text: string): string {
  return text.length > maxKeyCharacters ? `${text.slice(0, maxKeyCharacters)}…` : text;
}
