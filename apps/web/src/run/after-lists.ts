const bullet = /^\s*[-*+](?:\s|$)/;
const number = /^\s*(\d{1,9})[.)](?:\s|$)/;
const fence = /^\s*(`{3,}|~{3,})(.*)$/;

/**
 * Markdown takes a line right after a list for more of its last item, however far out it begins. Models mean what one sees: the next
 * paragraph, often a heading of the next list. A blank line says so.
 */
export function withRoomAfterLists(text: string): string {
  const lines: string[] = [];
  let open = "";
  let isInList = false;
  /** Of lines that were moved away from a list: a list after them is a list again, whatever its first number is. */
  let isMoved = false;
  for (const line of text.split("\n")) {
    const isAfterBlank = (lines.at(-1) ?? "").trim() === "";
    const isItem: boolean =
      open === "" && (bullet.test(line) || isNumbered(line, isInList || isAfterBlank || isMoved));
    const isOutside: boolean = open === "" && !isItem && /^\S/.test(line);
    if (!isAfterBlank && ((isOutside && isInList) || (isItem && isMoved))) lines.push("");
    isMoved = isOutside && (isMoved || (isInList && !isAfterBlank));
    if (isItem) isInList = true;
    else if (isOutside) isInList = false;
    open = fenceAfter(open, line);
    lines.push(line);
  }
  return lines.join("\n");
}

/** Amid a paragraph only a one begins a list: "1986. A good year" does not. */
function isNumbered(line: string, isAny: boolean): boolean {
  const [, found] = number.exec(line) ?? [];
  return found !== undefined && (isAny || Number(found) === 1);
}

/** The fence that code stands in from here on, or nothing. */
function fenceAfter(open: string, line: string): string {
  const [, found = "", rest = ""] = fence.exec(line) ?? [];
  if (open === "") return found;
  return found.startsWith(open) && rest.trim() === "" ? "" : open;
}
