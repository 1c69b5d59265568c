import { BronError } from "@bron/core";

/** What file systems take is 255 bytes, extension and drafts included. */
const maxBytes = 200;

/** Letters, digits, space, _ and - stay readable; every other byte becomes %XX, so that no name leaves its folder. */
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
    throw new BronError("invalid_arguments", "The name is too long; choose a shorter one.");
  return encoded;
}

/** Undefined for a file that was not named by `safeFileName`. */
export function nameOfFile(fileName: string): string | undefined {
  try {
    const name = decodeURIComponent(fileName);
    return safeFileName(name) === fileName ? name : undefined;
  } catch {
    return undefined;
  }
}
