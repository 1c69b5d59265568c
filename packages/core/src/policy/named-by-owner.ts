import { addressesIn, hostsIn, normaliseHost, withoutUnseen } from "./names.ts";
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
/** Words that stand in many a task and in many an address, and name nobody. */
const nobody = new Set("info office accounts account orders order support team hello mail email admin sales service contact billing invoice invoices rechnung bestellung news newsletter noreply reply office buero lohn parts shop and the gmbh ltd sarl".split(" "));

export function readOwnerWords(text: string): OwnerWords {
  const clean = withoutUnseen(text.normalize("NFKC"));
  const addresses = new Set(addressesIn(clean));
  const hosts = new Set([...hostsIn(clean), ...namedHosts(clean)]);
  const folded = clean.toLowerCase();
  const words = new Set(folded.match(/[\p{L}\p{N}]+/gu) ?? []);
  return {
    hasAddress: (address) => addresses.has(address),
    hasHost: (host) => hosts.has(host),
    callsByName({ address, known }) {
      if (!known) return false;
      const local = address.slice(0, address.lastIndexOf("@")).split(/[._-]/);
      const names = [...local, ...known.names.flatMap((name) => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])];
      return names.some((name) => name.length >= shortestName && !nobody.has(name) && words.has(name));
    },
    hasFile: (filename) => filename.length >= 4 && folded.includes(filename.normalize("NFKC").toLowerCase()),
  };
}

/** `example.com` typed without a scheme. */
function namedHosts(text: string): string[] {
  return [...text.matchAll(/(?<![\w@.-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,63}(?![\w@-])/gu)].map(([host]) => normaliseHost(host));
}
