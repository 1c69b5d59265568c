import { decodeHeader } from "./header-fields.ts";

interface ParameterizedValue {
  /** Lowercase. */
  readonly value: string;
  /** Lowercase names. Values are joined and decoded by RFC 2231. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** A parsed Content-Type or Content-Disposition header. */
export function parseParameters(header: string): ParameterizedValue {
  const [first = "", ...rest] = splitOutsideQuotes(header);
  const pieces = new Map<string, { index: number; text: string; isEncoded: boolean }[]>();
  for (const one of rest) {
    const equals = one.indexOf("=");
    if (equals < 1) continue;
    const [, name = "", index = "0", star = ""] =
      /^([^*]+)(?:\*(\d+))?(\*)?$/.exec(one.slice(0, equals).trim().toLowerCase()) ?? [];
    if (name === "") continue;
    const list = pieces.get(name) ?? [];
    list.push({
      index: Number(index),
      text: unquote(one.slice(equals + 1).trim()),
      isEncoded: star === "*",
    });
    pieces.set(name, list);
  }
  const parameters = new Map([...pieces].map(([name, list]) => [name, joinPieces(list)]));
  return { value: first.trim().toLowerCase(), parameters };
}

function joinPieces(list: readonly { index: number; text: string; isEncoded: boolean }[]): string {
  const sorted = [...list].sort((a, b) => a.index - b.index);
  if (!sorted.some(({ isEncoded }) => isEncoded))
    return decodeHeader(sorted.map(({ text }) => text).join(""));
  let charset = "utf-8";
  const bytes = sorted.map(({ text, isEncoded }, position) => {
    if (!isEncoded) return Buffer.from(text, "utf8");
    const marked = position === 0 ? /^([^']*)'[^']*'(.*)$/s.exec(text) : null;
    if (marked?.[1]) charset = marked[1];
    return percentBytes(marked ? (marked[2] ?? "") : text);
  });
  return decodeText(Buffer.concat(bytes), charset);
}

function percentBytes(text: string): Buffer {
  return Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    "latin1",
  );
}

/** An unknown charset is read as UTF-8. */
export function decodeText(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function splitOutsideQuotes(header: string): string[] {
  return header.match(/(?:"(?:\\.|[^"\\])*"|[^;"])+/g) ?? [];
}

function unquote(text: string): string {
  return text.startsWith('"')
    ? text.slice(1, text.endsWith('"') ? -1 : undefined).replace(/\\(.)/g, "$1")
    : text;
}
