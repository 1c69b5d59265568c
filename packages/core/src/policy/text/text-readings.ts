import { withLatinLetters } from "./foreign-letters.ts";
import { withoutUnseen } from "./names.ts";
import { normalizeText } from "./normalize-text.ts";

/**
 * The text as a reader or a program may see it: in lower case, with one form for each letter, and
 * with everything decoded that can be decoded. Every reading is searched for links.
 */
export function readingsOf(text: string): string[] {
  const plain = isAscii(text) ? text : withoutUnseen(text);
  const readings = new Set<string>();
  const decoded = [withoutUnseen(decodeEntities(plain)), ...base64In(plain), ...backwards(text)];
  for (const part of [plain, ...decoded]) {
    const visible = withDots((isAscii(part) ? part : normalizeText(part, "NFKC")).toLowerCase());
    readings.add(visible).add(withDots(decodePercent(visible)));
    if (!isAscii(visible)) readings.add(withLatinLetters(visible));
  }
  return [...readings];
}

/** Text that a control character makes programs show from right to left. */
function backwards(text: string): string[] {
  return Array.from(text.matchAll(/\u202e([^\u202c\n]+)/g), ([, shown = ""]) =>
    withoutUnseen(Array.from(shown).toReversed().join("")),
  );
}

/** Such a text has nothing unseen and only one form. Asking first saves most of the time. */
function isAscii(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return !/[^\0-\x7f]/.test(text);
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  sol: "/",
  colon: ":",
  period: ".",
  commat: "@",
  bsol: "\\",
  hyphen: "-",
  dash: "-",
  lowbar: "_",
  tab: "",
  newline: "",
  shy: "",
  zwnj: "",
  zwj: "",
};

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));?/gi,
    (match, hex?: string, decimal?: string, name?: string) =>
      name === undefined
        ? codePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
        : (entities[name.toLowerCase()] ?? match),
  );
}

function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Ideographic full stops, and dots that were put in brackets so that the link is not followed. */
function withDots(text: string): string {
  return text
    .replaceAll("\u3002", ".")
    .replaceAll(/[ \t]?[[({][ \t]?(?:\.|dot)[ \t]?[\])}][ \t]?/g, ".")
    .replaceAll(/(:[/\\]*)[\t\r\n]+(?=[/\\])/g, "$1");
}

const maxDecodings = 3;

/** Decodes percent signs until nothing changes, at most three times. */
function decodePercent(text: string): string {
  let decoded = text;
  for (let count = 0; count < maxDecodings; count++) {
    const before = decoded;
    if (!before.includes("%")) break;
    decoded = before.replaceAll(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      textOf(Uint8Array.from(bytes.slice(1).split("%"), (hex) => Number.parseInt(hex, 16))),
    );
    if (decoded === before) break;
  }
  return decoded.toLowerCase();
}

const decoder = new TextDecoder();

function textOf(bytes: Uint8Array): string {
  return withoutUnseen(decoder.decode(bytes));
}

const probeCharacters = 12;
const minDecoded = 6;
const maxPathCharacters = 200;

/** Texts inside runs of base64 of either alphabet. */
function base64In(text: string): string[] {
  const runs = new Set(text.match(/[A-Za-z0-9+/_-]{12,}/g));
  return [...runs].flatMap((run) => startsOf(run).flatMap(readBase64));
}

/** In a link, a slash can stand before the encoded text. It can also be part of it. */
function startsOf(run: string): string[] {
  const slashes = [...run.slice(0, maxPathCharacters).matchAll(/\//g)];
  return [0, ...slashes.map(({ index }) => index + 1)].map((start) => run.slice(start));
}

/** Ordinary words are base64 too, but decode to control characters and broken text. */
function readBase64(run: string): string[] {
  const isText = readableStart(decodeBase64(run.slice(0, probeCharacters))).length >= minDecoded;
  return isText ? [readableStart(decodeBase64(run))] : [];
}

function readableStart(decoded: string): string {
  const end = decoded.search(/[^\P{Cc}\r\n\t]|\ufffd/u);
  return end === -1 ? decoded : decoded.slice(0, end);
}

function decodeBase64(run: string): string {
  const usable = run.slice(0, run.length - (run.length % 4 === 1 ? 1 : 0));
  const binary = atob(usable.replaceAll("-", "+").replaceAll("_", "/"));
  return textOf(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}
