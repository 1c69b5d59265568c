/** Parts of a reply to an approval that no reader took. Only these words may be passed over. */
export function unreadParts(rest: string, passedOver: string): readonly string[] {
  const known = new Set(passedOver.split(" "));
  const isRead = (part: string) =>
    (part.toLowerCase().match(/[\p{L}\d#@\uE200][\p{L}\d'’\uE200-\uE201-]*/gu) ?? []).every(
      (word) => known.has(word.replace("’", "'")),
    );
  return rest
    .split(/\s{2,}|[,;:.?!()]+(?:\s|$)/)
    .map((part) => part.trim().replace(/^(?:and|but|or|then|also)\s+/i, ""))
    .filter((part) => !isRead(part));
}
