/** Region flags consist of tag characters: a black flag, a few letters, an end tag. */
const flagOrTags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}|[\u{e0000}-\u{e007f}]+/gu;

/** Separates tag characters, an alphabet that no screen shows but every model reads. */
export function splitTags(text: string): { readonly seen: string; readonly unseen: string } {
  if (!text.includes("\udb40")) return { seen: text, unseen: "" };
  const unseen: string[] = [];
  const seen = text.replace(flagOrTags, (found) => {
    if (found.startsWith("\u{1f3f4}")) return found;
    unseen.push(
      Array.from(found, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe0000)).join(
        "",
      ),
    );
    return "";
  });
  return { seen, unseen: unseen.join(" ") };
}
