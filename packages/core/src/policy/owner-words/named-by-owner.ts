import { bareHosts, endsLikeFile, hostsOfLinks } from "../text/linked-hosts.ts";
import { areTailsIn, linkTails, typedTails } from "../text/link-tails.ts";
import { contentValues } from "../text/content-values.ts";
import { addressesIn, withoutUnseen } from "../text/names.ts";
import { withoutQuotations } from "./quotations.ts";
import { normalizeText } from "../text/normalize-text.ts";
import { wordsIn } from "./words-in.ts";

/** Lookups in the text that the owner typed. */
export interface OwnerWords {
  readonly hasAddress: (address: string) => boolean;
  readonly hasHost: (host: string) => boolean;
  /** Whether the owner typed each link to the host that is in a text, with its path. */
  readonly hasLinks: (host: string, text: string) => boolean;
  /** A word of the address before the @ that the owner typed. Anyone can have such an address. */
  readonly nameIn: (address: string) => string | undefined;
  readonly hasFile: (filename: string) => boolean;
  /** See `traceableValues`. */
  readonly hasValue: (value: string) => boolean;
}

const minNameCharacters = 3;
/**
 * No file system allows a longer name. Other people choose file names, and searching for a long one
 * may take quadratic time.
 */
const maxFilenameCharacters = 255;
/** Words that are common in tasks and addresses and do not name a person. */
const commonWords = new Set(
  "info office accounts account orders order support team hello mail email admin sales service contact billing invoice invoices rechnung bestellung news newsletter noreply reply office buero lohn parts shop and the gmbh ltd sarl".split(
    " ",
  ),
);

/** Whether a word is one of things and roles, though mailboxes are called so. */
export function isCommonWord(word: string): boolean {
  return commonWords.has(word);
}

/** Each kind of thing is searched for when it is first looked up. Most judgments need only a few. */
export function readOwnerWords(text: string): OwnerWords {
  const clean = withoutQuotations(withoutUnseen(normalizeText(text, "NFKC")));
  const folded = clean.toLowerCase();
  const addresses = lazy(() => new Set(addressesIn(clean)));
  const hosts = lazy(() => new Set([...hostsOfLinks(folded), ...namedHosts(folded)]));
  const words = lazy(() => new Set(wordsIn(clean)));
  const values = lazy(() => new Set(contentValues(clean).values));
  return {
    hasValue: (value) => values().has(value),
    hasLinks(host, content) {
      const tails = linkTails(host, content);
      return tails.decoded.size === 0 || areTailsIn(tails, typedTails(host, clean));
    },
    hasAddress: (address) => addresses().has(address),
    // The owner of a domain also owns its name with www.
    hasHost: (host) =>
      [host, host.replace(/^www\./, ""), `www.${host}`].some((name) => hosts().has(name)),
    nameIn: (address) =>
      wordsIn(address.slice(0, Math.max(0, address.lastIndexOf("@")))).find(
        (name) => name.length >= minNameCharacters && !commonWords.has(name) && words().has(name),
      ),
    hasFile(filename) {
      const name = normalizeText(filename, "NFKC").toLowerCase();
      const at =
        name.length <= maxFilenameCharacters && /^[^\s/\\]+\.[a-z0-9]{2,5}$/.test(name)
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

/** Computes the value at the first call, and returns the same one from then on. */
function lazy<T extends object>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}

/** Hosts such as `example.com` that were typed without a scheme. */
function namedHosts(text: string): string[] {
  return bareHosts(text).filter((host) => !endsLikeFile(host));
}
