const maxCharacters = 120;
/** Most file systems allow names of this length. */
const maxBytes = 240;
/** Longer names are shortened first, keeping the beginning and the extension. */
const longest = 1_000;
const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns safe and unique names for the entries of an archive, on every operating system. */
export function createEntryNames(): (name: string) => string {
  const taken = new Set<string>();
  return (given) => {
    const name = cleanName(given);
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : withMark(name, ` (${number})`);
      const key = candidate.normalize("NFKC").toUpperCase().toLowerCase();
      if (taken.has(key)) continue;
      taken.add(key);
      return candidate;
    }
  };
}

/**
 * Removes path separators, control and bidi characters, leading dots and characters that Windows
 * reserves.
 */
function cleanName(given: string): string {
  const plain = (
    given.length > longest ? given.slice(0, longest / 2) + given.slice(-longest / 2) : given
  )
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\uFFFD<>:"/\\|?*]/gu, "_")
    .replace(/\.{2,}/g, ".")
    .replace(/^[\s.~-]+|[\s.]+$/gu, "");
  const named = plain === "" ? "file" : reservedOnWindows.test(plain) ? `_${plain}` : plain;
  return withMark(named, "");
}

/**
 * Adds a suffix before the extension. Shortens the name but never the extension, so that the file
 * still opens with the same program.
 */
function withMark(name: string, mark: string): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.[^.\s]{1,12})?$/su.exec(name) ?? [];
  const letters = Array.from(stem);
  const made = () => `${letters.join("").replace(/[\s.]+$/u, "")}${mark}${ending}`;
  while (made().length > maxCharacters || Buffer.byteLength(made()) > maxBytes) letters.pop();
  return made();
}
