const replacements: Readonly<Record<string, string>> = { ł: "l", Ł: "L", "\u2212": "-" };

/** The standard PDF fonts cover western Europe only, so "Śruba" becomes "Sruba". */
export function winAnsiText(text: string): string {
  return Array.from(text)
    .map((letter) => {
      if (letter.charCodeAt(0) < 0x100 || letter === "€") return letter;
      return replacements[letter] ?? letter.normalize("NFKD").replace(/[^\u0020-\u00ff]/g, "");
    })
    .join("");
}
