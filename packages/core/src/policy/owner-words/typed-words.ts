/** A text of the owner, separated into what they typed and what they must have pasted. */
export interface TypedWords {
  /** Only these words can name people, sites and files. */
  readonly words: string;
  /** Mails, quotations, pages and code that others may have written, each as it was in the text. */
  readonly pasted: readonly string[];
}

/** `From:` and its relatives, as mail programs write them above a forwarded or printed mail. */
const header =
  /^[\s*_|]{0,8}(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|kopie|betreff|gesendet|datum|de|à|objet|envoyé|para|asunto|enviado|fecha|da|a|oggetto|inviato|data|van|aan|onderwerp|verzonden|från|till|ämne|skickat|od|do|temat|wysłano)[*_]{0,2}\s?:/iu;
/** `On Monday, Eva wrote:` */
const attribution =
  /(?:\bwrote|\bschrieb(?:\s+.{1,80})?|\ba\s+écrit|\bescribió|\bha\s+scritto|\bschreef(?:\s+.{1,80})?|\bskrev(?:\s+.{1,80})?|\bnapisał(?:\(?a\)?)?)\s?:\s*$/iu;
const separator =
  /^[\s>]*[-_=]{2,}\s*(?:(?:begin\s+)?forwarded|original|weitergeleitete|ursprüngliche|message|mensaje|messaggio|doorgestuurd|oorspronkelijk|vidarebefordrat|ursprungligt)\b.{0,80}$/iu;
const maxHeaderCharacters = 1_000;

/**
 * Separates what the owner typed from whole texts that were pasted into it: mail headers, `Eva wrote:`
 * and forwarded mails up to the end, lines with `>`, HTML, and code between fences. Lists and other
 * lines that people type stay words.
 */
export function typedWords(text: string): TypedWords {
  const words: string[] = [];
  const pasted: string[][] = [];
  let isFenced = false;
  let isInBlock = false;
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/);
  for (const [index, line] of lines.entries()) {
    if (!isFenced && startsMail(lines, index)) {
      const rest = lines.slice(index);
      if (isInBlock) pasted.at(-1)?.push(...rest);
      else pasted.push(rest);
      break;
    }
    const isFence = /^\s{0,3}(?:```|~~~)/.test(line);
    const isPasted = isFenced || isFence || /^\s{0,3}>/.test(line);
    if (!isPasted) words.push(line);
    else if (isInBlock) pasted.at(-1)?.push(line);
    else pasted.push([line]);
    isInBlock = isPasted;
    if (isFence) isFenced = !isFenced;
  }
  const { typed, markup } = withoutMarkup(words.join("\n"));
  const blocks = pasted.map((block) => block.join("\n"));
  return { words: typed, pasted: [...(markup === "" ? [] : [markup]), ...blocks].filter(Boolean) };
}

function startsMail(lines: readonly string[], index: number): boolean {
  const line = (lines[index] ?? "").slice(0, maxHeaderCharacters);
  if (separator.test(line) || attribution.test(line)) return true;
  return header.test(line) && header.test((lines[index + 1] ?? "").slice(0, maxHeaderCharacters));
}

/** Everything between the first and the last tag was copied from a page. */
function withoutMarkup(text: string): { readonly typed: string; readonly markup: string } {
  const tag =
    /<\/?(?:html|body|head|div|span|p|a|table|tr|td|ul|ol|li|br|img|style|script|b|i|h[1-6])(?:\s[^<>]{0,2000})?\/?>/giu;
  let [start, end] = [-1, -1];
  for (const { index, 0: found } of text.matchAll(tag)) {
    if (start === -1) start = index;
    end = index + found.length;
  }
  if (start === -1) return { typed: text, markup: "" };
  return { typed: `${text.slice(0, start)} ${text.slice(end)}`, markup: text.slice(start, end) };
}
