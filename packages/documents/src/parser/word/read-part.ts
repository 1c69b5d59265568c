import { isDarkGround, lookOfProperty, type RunLook } from "./run-look.ts";
import { decodeEntities, wordAttribute } from "./word-xml.ts";

export interface WordPart {
  /** Line by line, without what is hidden. */
  readonly seen: string;
  /** What a person would not see. */
  readonly hidden: string;
}

const plain: RunLook = { isHidden: false, isWhite: false };
const token = /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<(\/?)w:(\w+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;

/** Goes through a part of a Word document and tells what is seen from what is not. */
export function readWordPart(xml: string, styles: ReadonlyMap<string, RunLook>): WordPart {
  const [seen, hidden]: [string[], string[]] = [[], []];
  let paragraph = plain;
  let run = plain;
  let isInRun = false;
  /** Of the page, and of each table, paragraph and run that is open: white letters on it may be seen. */
  let isDarkPage = false;
  const tables: boolean[] = [];
  let isDarkParagraph = false;
  let isDarkRun = false;

  const write = (text: string) => {
    const isDark = isDarkPage || isDarkParagraph || isDarkRun || tables.includes(true);
    (run.isHidden || (run.isWhite && !isDark) ? hidden : seen).push(text);
  };
  const open = (name: string, attributes: string) => {
    if (name === "background") isDarkPage = true;
    else if (name === "tbl") tables.push(false);
    else if (name === "p") [paragraph, run, isDarkParagraph] = [plain, plain, false];
    else if (name === "r") [run, isInRun, isDarkRun] = [paragraph, true, false];
    else if (name === "pStyle") run = paragraph = styles.get(wordAttribute(attributes, "val") ?? "") ?? plain;
    else if (name === "rStyle" && isInRun) run = { ...run, ...styles.get(wordAttribute(attributes, "val") ?? "") };
    else if (name === "tblStyle" || (isDarkGround(name, attributes) && tables.length > 0 && !isInRun)) tables[tables.length - 1] = true;
    else if (isDarkGround(name, attributes)) [isDarkRun, isDarkParagraph] = [isDarkRun || isInRun, isDarkParagraph || !isInRun];
    else if (name === "tab" || name === "br") write(" ");
    else if (isInRun) run = { ...run, ...lookOfProperty(name, attributes) };
  };
  const close = (name: string) => {
    if (name === "tbl") tables.pop();
    else if (name === "r") isInRun = false;
    else if (name === "p") for (const lines of [seen, hidden]) lines.push("\n");
  };
  for (const [, text, slash, name, attributes = "", end] of xml.matchAll(token)) {
    if (text !== undefined) write(decodeEntities(text));
    else if (slash === "/") close(name ?? "");
    else {
      open(name ?? "", attributes);
      if (end === "/") close(name ?? "");
    }
  }
  return { seen: linesOf(seen), hidden: linesOf(hidden) };
}

function linesOf(parts: readonly string[]): string {
  return parts.join("").split("\n").map((line) => line.trim()).filter((line) => line !== "").join("\n");
}
