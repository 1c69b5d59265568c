const maxCharacters = 120;
/** Most file systems allow names of this length. */
const maxBytes = 240;
/** Longer names are shortened first, keeping the beginning and the extension. */
const maxGivenCharacters = 1_000;
const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Returns safe and unique names for the entries of an archive, on every operating system. */
export function createEntryNames(): (name: string) => string {
  const usedKeys = new Set<string>();
  return (given) => {
    const name = cleanName(given);
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? name : withSuffix(name, ` (${number})`);
      const key = candidate.normalize("NFKC").toUpperCase().toLowerCase();
      if (usedKeys.has(key)) continue;
      usedKeys.add(key);
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
    given.length > maxGivenCharacters
      ? given.slice(0, maxGivenCharacters / 2) + given.slice(-maxGivenCharacters / 2)
      : given
  )
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\uFFFD<>:"/\\|?*]/gu, "_")
    .replace(/\.{2,}/g, ".")
    .replace(/^[\s.~-]+|[\s.]+$/gu, "");
  const named = plain === "" ? "file" : reservedOnWindows.test(plain) ? `_${plain}` : plain;
  return withSuffix(named, "");
}

/**
 * Adds a suffix before the extension. Shortens the name but never the extension, so that the file
 * still opens with the same program.
 */
function withSuffix(name: string, suffix: string): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.[^.\s]{1,12})?$/su.exec(name) ?? [];
  const letters = Array.from(stem);
  const joinName = () => `${letters.join("").replace(/[\s.]+$/u, "")}${suffix}${ending}`;
  while (joinName().length > maxCharacters || Buffer.byteLength(joinName()) > maxBytes)
    letters.pop();
  return joinName();
}
