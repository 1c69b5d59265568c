export interface DecodedText {
  readonly text: string;
  /** A warning about the encoding. Undefined for plain UTF-8. */
  readonly guess?: string;
}

/**
 * Decodes by the byte order mark, otherwise as UTF-8 if valid, otherwise as Windows-1252, in which
 * every byte is valid.
 */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { text: new TextDecoder("utf-16le").decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { text: new TextDecoder("utf-16be").decode(bytes) };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return {
      text: new TextDecoder("windows-1252").decode(bytes),
      guess: "The file is not UTF-8. It was read as Windows-1252, so some letters may be wrong.",
    };
  }
}
