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
/** The header of an author, which is enough alone if nothing else is in its line. */
const author =
  /^[\s*_|]{0,8}(?:from|von|de|da|van|från|fra|od|от)[*_]{0,2}\s?:(?:[^@<.]{0,80}<)?\s*[^\s@<>]{1,64}@[^\s@<>]{1,253}>?\s*$/iu;
/** `On Monday, Eva wrote:` */
const attribution =
  /(?<!\p{L})(?:wrote|schrieb(?:\s+.{1,80})?|a\s+écrit|escribió|escreveu|ha\s+scritto|schreef(?:\s+.{1,80})?|skrev(?:\s+.{1,80})?|napsala?|napisał(?:\(?a\)?)?|пишет|написала?)\s?:\s*$/iu;
const separator =
  /^[\s>]*[-_=]{2,}\s*(?:(?:begin\s+)?forwarded|original|weitergeleitete|ursprüngliche|message|mensaje|messaggio|doorgestuurd|oorspronkelijk|vidarebefordrat|ursprungligt)\b.{0,80}$/iu;
/** What Apple's mail program writes above a forwarded mail. */
const forwarded =
  /^\s*(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)|début du (?:message|e-mail) (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio (?:del )?messaggio inoltrato|begin doorgestuurd bericht|początek przekazywanej wiadomości)\s?:?\s*$/iu;
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
    const isPasted = isFenced || isFence || /^\s{0,3}[>＞]/.test(line);
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
  if ([separator, attribution, forwarded, author].some((pattern) => pattern.test(line)))
    return true;
  return header.test(line) && header.test((lines[index + 1] ?? "").slice(0, maxHeaderCharacters));
}

/** What stands between tags, what an unfinished tag begins, and comments. */
const tag =
  /<(?:(\/)?(?:html|head|title|body|header|footer|main|section|article|div|span|p|a|font|center|pre|code|table|thead|tbody|tr|td|th|ul|ol|li|dl|dt|dd|style|script|form|button|blockquote|b|i|u|em|strong|small|h[1-6]|(br|hr|img|meta|link|input))(?:\s[^<>]{0,2000})?(\/)?>|!--|!doctype)/giu;

/** Everything between the first and the last tag was copied from a page, and so was an open block. */
function withoutMarkup(text: string): { readonly typed: string; readonly markup: string } {
  let [start, end] = [-1, -1];
  let isOpen = false;
  for (const { index, 0: found, 1: closing, 2: single, 3: slash } of text.matchAll(tag)) {
    if (start === -1) start = index;
    end = index + found.length;
    isOpen = closing === undefined && single === undefined && slash === undefined;
  }
  if (start === -1) return { typed: text, markup: "" };
  if (isOpen) end = endOfBlock(text, end);
  return { typed: `${text.slice(0, start)} ${text.slice(end)}`, markup: text.slice(start, end) };
}

/** The next empty line, or the end. */
function endOfBlock(text: string, from: number): number {
  const gap = text.slice(from).search(/\n[ \t]*\n/);
  return gap === -1 ? text.length : from + gap;
}
