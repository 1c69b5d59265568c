import { findNamedHosts } from "./find-names.ts";
import { addressesIn, hostsIn, normaliseHost, withoutUnseen } from "./names.ts";
import { normalizeText } from "./normalize-text.ts";
import type { Recipient } from "./effect-facts.ts";

/** What the owner typed, made ready to be asked about. */
export interface OwnerWords {
  readonly hasAddress: (address: string) => boolean;
  readonly hasHost: (host: string) => boolean;
  /** Somebody whom the owner knows and has called by name. */
  readonly callsByName: (recipient: Recipient) => boolean;
  readonly hasFile: (filename: string) => boolean;
}

const shortestName = 3;
/** No file system keeps a longer one. Others choose the name, and to look for a long one may take the square of the time. */
const longestFilename = 255;
/** Words that stand in many a task and in many an address, and name nobody. */
const nobody = new Set(
  "info office accounts account orders order support team hello mail email admin sales service contact billing invoice invoices rechnung bestellung news newsletter noreply reply office buero lohn parts shop and the gmbh ltd sarl".split(
    " ",
  ),
);

export function readOwnerWords(text: string): OwnerWords {
  const clean = withoutUnseen(normalizeText(text, "NFKC"));
  const addresses = new Set(addressesIn(clean));
  const hosts = new Set([...hostsIn(clean), ...namedHosts(clean)]);
  const folded = clean.toLowerCase();
  const words = new Set(wordsIn(clean));
  return {
    hasAddress: (address) => addresses.has(address),
    hasHost: (host) => hosts.has(host),
    callsByName({ address, known }) {
      if (!known) return false;
      // By a name that the address bears too: what stands before it, senders choose freely.
      const local = wordsIn(address.slice(0, address.lastIndexOf("@")));
      const names = known.names.length === 0 ? local : known.names.flatMap(wordsIn);
      return names.some(
        (name) =>
          name.length >= shortestName &&
          !nobody.has(name) &&
          local.includes(name) &&
          words.has(name),
      );
    },
    hasFile(filename) {
      const name = normalizeText(filename, "NFKC").toLowerCase();
      const at =
        name.length <= longestFilename && /^[^\s/\\]+\.[a-z0-9]{2,5}$/.test(name)
          ? folded.indexOf(name)
          : -1;
      return (
        at !== -1 &&
        !/[\p{L}\p{N}._-]/u.test(folded[at - 1] ?? " ") &&
        !/[\p{L}\p{N}_-]/u.test(folded[at + name.length] ?? " ")
      );
    },
  };
}

const spelledOut: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  ø: "oe",
  å: "aa",
  æ: "ae",
  ł: "l",
  đ: "d",
};

/** As addresses spell names: Schröder is schroeder there, and Wójcik wojcik. */
function wordsIn(text: string): string[] {
  const folded = Array.from(
    normalizeText(text, "NFC").toLowerCase(),
    (letter) => spelledOut[letter] ?? letter,
  ).join("");
  return (
    normalizeText(folded, "NFKD")
      .replaceAll(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Endings of files that are domains too: a file's name names no host. */
const fileEndings = new Set(
  "zip md mov sh py ai app pdf doc docx xls xlsx csv txt htm html js ts json xml png jpg jpeg gif eml ics rs so pl cc com.exe".split(
    " ",
  ),
);

/** `example.com` typed without a scheme. */
function namedHosts(text: string): string[] {
  return findNamedHosts(text)
    .map(normaliseHost)
    .filter((host) => !fileEndings.has(host.slice(host.lastIndexOf(".") + 1)));
}
