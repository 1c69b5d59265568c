import {
  isDarkGround,
  appearanceOfProperty,
  type RunAppearance,
  type WordStyles,
} from "./run-appearance.ts";
import { decodeEntities, wordAttribute } from "./word-xml.ts";

interface WordPart {
  /** Visible text, line by line. */
  readonly seen: string;
  /** Text that a person would not see. */
  readonly hidden: string;
}

const token = /<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<(\/?)w:(\w+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/g;

/** Separates visible and hidden text in one part of a Word document. */
export function readWordPart(xml: string, { usual, appearances }: WordStyles): WordPart {
  const [seen, hidden]: [string[], string[]] = [[], []];
  let paragraph = usual;
  let run = usual;
  let isInRun = false;
  /**
   * Whether the page and each open table, paragraph and run is dark, which makes white text
   * visible.
   */
  let isDarkPage = false;
  const tables: { isDark: boolean; appearance: Partial<RunAppearance> }[] = [];
  let isDarkParagraph = false;
  let isDarkRun = false;

  const write = (text: string) => {
    const isDark =
      isDarkPage ||
      isDarkParagraph ||
      isDarkRun ||
      tables.some(({ isDark: isDarkTable }) => isDarkTable);
    (run.isHidden || (run.isWhite && !isDark) ? hidden : seen).push(text);
  };
  const styled = (attributes: string): Partial<RunAppearance> =>
    appearances.get(wordAttribute(attributes, "val") ?? "") ?? {};
  const around = (): RunAppearance => ({ ...usual, ...tables.at(-1)?.appearance });
  const open = (name: string, attributes: string) => {
    const table = tables.at(-1);
    if (name === "background") isDarkPage = true;
    else if (name === "tbl") tables.push({ isDark: false, appearance: {} });
    else if (name === "p") [paragraph, run, isDarkParagraph] = [around(), around(), false];
    else if (name === "r") [run, isInRun, isDarkRun] = [paragraph, true, false];
    else if (name === "pStyle") run = paragraph = { ...around(), ...styled(attributes) };
    else if (name === "rStyle" && isInRun) run = { ...run, ...styled(attributes) };
    else if (name === "tblStyle" && table)
      tables[tables.length - 1] = { isDark: true, appearance: styled(attributes) };
    else if (table && isDarkGround(name, attributes) && !isInRun) table.isDark = true;
    else if (isDarkGround(name, attributes))
      [isDarkRun, isDarkParagraph] = [isDarkRun || isInRun, isDarkParagraph || !isInRun];
    else if (name === "tab" || name === "br") write(" ");
    else if (isInRun) run = { ...run, ...appearanceOfProperty(name, attributes) };
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
  return parts
    .join("")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}
