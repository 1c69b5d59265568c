import { BronError } from "@bron/core";

/** File systems allow 255 bytes, including the extension and the suffix of drafts. */
const maxBytes = 200;

/**
 * Keeps letters, digits, space, _ and -, and encodes every other byte as %XX, so that a name cannot
 * escape its folder.
 */
export function safeFileName(name: string): string {
  const clean = name.normalize("NFC").trim();
  if (clean === "") throw new BronError("invalid_arguments", "The name is empty.");
  const encoded = Array.from(Buffer.from(clean, "utf8"), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9 _-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
  if (encoded.length > maxBytes)
    throw new BronError("invalid_arguments", "The name is too long. Choose a shorter one.");
  return encoded;
}

/** Returns undefined for a file that `safeFileName` did not name. */
export function nameOfFile(fileName: string): string | undefined {
  try {
    const name = decodeURIComponent(fileName);
    return safeFileName(name) === fileName ? name : undefined;
  } catch {
    return undefined;
  }
}
