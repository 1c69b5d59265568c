import { decodeText, type DecodedText } from "../decode-text.ts";

const sniffedBytes = 1_024;

/**
 * Decodes by the byte order mark, otherwise by what the media type or the page declares, otherwise
 * like any text.
 */
export function decodeHtml(bytes: Uint8Array, mediaType: string | undefined): DecodedText {
  const hasMark =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff) ||
    (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf);
  const declared = hasMark ? undefined : (charsetIn(mediaType ?? "") ?? charsetIn(metaOf(bytes)));
  // A readable declaration proves that the page is not UTF-16, whatever it declares.
  if (declared === undefined || /^utf-?(?:8|16)/i.test(declared)) return decodeText(bytes);
  try {
    return { text: new TextDecoder(declared).decode(bytes) };
  } catch {
    return decodeText(bytes);
  }
}

function metaOf(bytes: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, sniffedBytes));
  return (start.match(/<meta\s[^>]*>/gi) ?? []).find((meta) => /charset/i.test(meta)) ?? "";
}

function charsetIn(text: string): string | undefined {
  return /charset\s*=\s*["']?([\w.:-]+)/i.exec(text)?.[1];
}
