export interface DecodedText {
  readonly text: string;
  /** Unless it was plain UTF-8. */
  readonly guess?: string;
}

/** By its byte order mark, else UTF-8 if it is valid, else the old Windows encoding, in which everything is valid. */
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
      guess: "It is not UTF-8; it was read as Windows-1252, so that some letters may be wrong.",
    };
  }
}
