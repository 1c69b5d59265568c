const maxCharacters = 120;
/** What most file systems take for one name. */
const maxBytes = 240;
/** What is looked at of a name: enough for its beginning and its ending. */
const longest = 1_000;
const reservedOnWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Gives names to the entries of an archive: harmless wherever they are unpacked, and no two the same there. */
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

/** One name, never a path: nothing that separates folders, moves a cursor, hides, turns text around or means something to a shell of Windows. */
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

/** Shortened before its ending, so that it still opens with what it opened with. */
function withMark(name: string, mark: string): string {
  const [, stem = name, ending = ""] = /^(.+?)(\.[^.\s]{1,12})?$/su.exec(name) ?? [];
  const letters = Array.from(stem);
  const made = () => `${letters.join("").replace(/[\s.]+$/u, "")}${mark}${ending}`;
  while (made().length > maxCharacters || Buffer.byteLength(made()) > maxBytes) letters.pop();
  return made();
}
