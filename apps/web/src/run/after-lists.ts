const bullet = /^\s*[-*+](?:\s|$)/;
const number = /^\s*(\d{1,9})[.)](?:\s|$)/;
const fence = /^\s*(`{3,}|~{3,})(.*)$/;

/**
 * Markdown treats an unindented line right after a list as part of the last item. Models mean a new
 * paragraph, often the heading of the next list, so a blank line is inserted.
 */
export function withRoomAfterLists(text: string): string {
  const lines: string[] = [];
  let open = "";
  let isInList = false;
  /** After a separated line, any number may start the next list. */
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

/** Inside a paragraph only the number 1 starts a list. "1986. A good year" does not. */
function isNumbered(line: string, isAny: boolean): boolean {
  const [, found] = number.exec(line) ?? [];
  return found !== undefined && (isAny || Number(found) === 1);
}

/** The open code fence after this line, or "". */
function fenceAfter(open: string, line: string): string {
  const [, found = "", rest = ""] = fence.exec(line) ?? [];
  if (open === "") return found;
  return found.startsWith(open) && rest.trim() === "" ? "" : open;
}
