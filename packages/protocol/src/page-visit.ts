import type { ApprovalView } from "./run.ts";

/** A text of a URL, as a person reads it. */
export interface UrlText {
  /** Percent signs are decoded once, as the site does. */
  readonly text: string;
  /** What the text contains in base64, in hexadecimal digits or with more percent signs. */
  readonly hidden?: string;
}

/** What opening a page tells its site. */
export interface PageVisit {
  readonly host: string;
  /** Without the slash at the start. Empty for the start page. */
  readonly path: UrlText;
  /** The values after the question mark, in their order. A value without a name has an empty one. */
  readonly values: readonly { readonly name: UrlText; readonly value: UrlText }[];
}

/**
 * Reads a URL. The host stays in its ASCII form, in which no letter looks like another. The part
 * after # is left out, because it is not sent. Undefined if the text is no URL.
 */
export function readPageVisit(url: string): PageVisit | undefined {
  const parsed = URL.parse(url);
  if (!parsed || parsed.host === "") return undefined;
  return {
    host: parsed.host,
    path: pathText(parsed.pathname.slice(1)),
    values: [...parsed.searchParams].map(([name, value]) => ({
      name: urlText(name),
      value: urlText(value),
    })),
  };
}

/** The page that an effect opens. Undefined if it does anything besides. */
export function pageVisitOf({
  kind,
  prepared,
}: Pick<ApprovalView, "kind" | "prepared">): PageVisit | undefined {
  if (kind !== "fetch" || typeof prepared !== "object" || prepared === null) return undefined;
  const [[name, url] = [], ...others] = Object.entries(prepared);
  return name === "url" && typeof url === "string" && others.length === 0
    ? readPageVisit(url)
    : undefined;
}

/** Each part of a path can be encoded on its own. */
function pathText(path: string): UrlText {
  const parts = path.split("/").map((part) => urlText(decodePercent(part)));
  const text = parts.map((part) => part.text).join("/");
  const hidden = parts.map((part) => part.hidden ?? part.text).join("/");
  return hidden === text ? { text } : { text, hidden };
}

function urlText(text: string): UrlText {
  const hidden = decodeAll(text);
  return hidden === text ? { text } : { text, hidden };
}

/** A text can be encoded several times. */
const maxDecodings = 3;

function decodeAll(text: string): string {
  let decoded = text;
  for (let count = 0; count < maxDecodings; count++) {
    const percent = decodePercent(decoded);
    const next = percent === decoded ? (decodeHex(decoded) ?? decodeBase64(decoded)) : percent;
    if (next === undefined) break;
    decoded = next;
  }
  return decoded;
}

/** Decodes percent-encoded bytes, and leaves those that are not valid UTF-8. */
function decodePercent(text: string): string {
  return text.replaceAll(
    /(?:%[0-9a-f]{2})+/gi,
    (bytes) => textOf(hexBytes(bytes.replaceAll("%", ""))) ?? bytes,
  );
}

function decodeHex(text: string): string | undefined {
  return /^(?:[0-9a-f]{2}){4,}$/i.test(text) ? printable(textOf(hexBytes(text))) : undefined;
}

function hexBytes(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Either alphabet. A plus sign in a URL was read as a space. */
function decodeBase64(text: string): string | undefined {
  if (!/^[\w+/ -]{8,}={0,2}$/.test(text)) return undefined;
  const digits = text.replace(/=+$/, "").replaceAll(/[ -]/g, "+").replaceAll("_", "/");
  if (digits.length % 4 === 1) return undefined;
  const binary = atob(digits);
  return printable(textOf(Uint8Array.from(binary, (character) => character.charCodeAt(0))));
}

/** Undefined if the bytes are not valid UTF-8. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Ordinary words decode to control characters and the like. */
function printable(text: string | undefined): string | undefined {
  return text === undefined || /[^\P{C}\r\n\t]/u.test(text) ? undefined : text;
}

/** The sentences of the terminal and the web app. To translate them, pass another table. */
export interface VisitWords {
  readonly start: string;
  opens(page: string, host: string): string;
  tells(host: string): string;
  tellsNothingElse(host: string): string;
  named(name: string, value: string): string;
  hidden(text: string, hidden: string): string;
}

export const visitWords: VisitWords = {
  start: "the start page",
  opens: (page, host) => `Opens ${page} on ${host}.`,
  tells: (host) => `Tells ${host}:`,
  tellsNothingElse: (host) => `Tells ${host} nothing else.`,
  named: (name, value) => `${name} = ${value}`,
  hidden: (text, hidden) => `${text} (decoded: ${hidden})`,
};

/** "Opens prices on shop.example. Tells shop.example: q = 61,000 EUR", in lines. */
export function describePageVisit(
  { host, path, values }: PageVisit,
  words: VisitWords = visitWords,
): string[] {
  const read = ({ text, hidden }: UrlText) =>
    hidden === undefined ? oneLine(text) : words.hidden(oneLine(text), oneLine(hidden));
  const lines = values.map(({ name, value }) =>
    value.text === "" ? read(name) : words.named(read(name), read(value)),
  );
  const page = path.text === "" ? words.start : `/${read(path)}`;
  const start = words.opens(page, host);
  if (lines.length === 0) return [start, words.tellsNothingElse(host)];
  return [start, ...lines.map((line) => `${words.tells(host)} ${line}`)];
}

/** A decoded line break must not start a line that seems to be Bron's. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\t\u2028\u2029]/g, " ");
}
