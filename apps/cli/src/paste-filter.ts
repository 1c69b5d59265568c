import { describeText, isMoreThanALine } from "@bron/protocol";

const start = "\u001B[200~";
const end = "\u001B[201~";

/** Takes what a terminal sends at a prompt, in pieces, and keeps long pastes apart from what is typed. */
interface PasteFilter {
  /** Returns what goes to the line editor. A long paste is a mark there. */
  feed(piece: string): string;
  /** The words of a line, and the pastes whose marks are still in it. */
  read(line: string): { readonly words: string; readonly pasted: readonly string[] };
}

/** For a terminal in bracketed-paste mode, which encloses each paste in two sequences. */
export function createPasteFilter(): PasteFilter {
  const pastes = new Map<string, string>();
  let rest = "";
  let open: string | undefined;
  const markFor = (paste: string): string => {
    const text = paste.replaceAll(/\r\n?/g, "\n");
    if (!isMoreThanALine(text)) return text.trimEnd();
    const mark = `[pasted text ${pastes.size + 1}: ${linesOf(text)}]`;
    pastes.set(mark, text);
    return mark;
  };
  return {
    feed(piece) {
      let text = rest + piece;
      rest = "";
      let out = "";
      while (text !== "") {
        const wanted = open === undefined ? start : end;
        const at = text.indexOf(wanted);
        // The sequence may continue in the next piece.
        const kept = at === -1 ? text.length - beginningOf(wanted, text) : at;
        if (open === undefined) out += text.slice(0, kept);
        else open += text.slice(0, kept);
        if (at === -1) {
          rest = text.slice(kept);
          break;
        }
        if (open !== undefined) out += markFor(open);
        open = open === undefined ? "" : undefined;
        text = text.slice(at + wanted.length);
      }
      return out;
    },
    read(line) {
      const kept = [...pastes].filter(([mark]) => line.includes(mark));
      const words = kept.reduce((before, [mark]) => before.replace(mark, ""), line);
      return { words: words.trim(), pasted: kept.map(([, text]) => text) };
    },
  };
}

export function linesOf(text: string): string {
  const { lines } = describeText(text);
  return lines === 1 ? "1 line" : `${lines} lines`;
}

/** How many characters at the end of `text` may begin `sequence`. */
function beginningOf(sequence: string, text: string): number {
  for (let length = Math.min(sequence.length - 1, text.length); length > 0; length--)
    if (text.endsWith(sequence.slice(0, length))) return length;
  return 0;
}
