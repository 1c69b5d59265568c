import { toUnicode } from "./look-alike.ts";
import { normalizeText } from "./normalize-text.ts";
import { withoutUnseen } from "./names.ts";
import { readingsOf } from "./text-readings.ts";

/** What follows a host in the links of a text: port, path, query and fragment. */
export interface LinkTails {
  /** In the letter case of the text. A path can depend on it. */
  readonly asWritten: ReadonlySet<string>;
  /** Of the decoded text too, in lower case. */
  readonly decoded: ReadonlySet<string>;
}

/**
 * `host` has the form of `linkedHosts`. Its spellings in the text are found without `www.`. A link
 * is as long as the mail program that takes most of it.
 */
export function linkTails(host: string, text: string): LinkTails {
  return readTails(host, text, (link) => [longestTail(link)]);
}

/** The same for what the owner typed, who may mean less than a mail program takes. */
export function typedTails(host: string, text: string): LinkTails {
  return readTails(host, text, (link) => [longestTail(link), shortestTail(link)]);
}

function readTails(
  host: string,
  text: string,
  endsOf: (link: Link) => readonly string[],
): LinkTails {
  const spellings = spellingsOf(host.replace(/^www\./, ""));
  const written = normalizeText(withoutUnseen(text), "NFKC");
  const tailsIn = (one: string) => linksIn(one, spellings).flatMap(endsOf).map(withoutSlash);
  return {
    asWritten: new Set(tailsIn(written)),
    decoded: new Set(readingsOf(text).flatMap(tailsIn)),
  };
}

/** Whether the owner typed every link to the host exactly so. */
export function areTailsIn(tails: LinkTails, typed: LinkTails): boolean {
  return (
    [...tails.asWritten].every((tail) => tail === "" || typed.asWritten.has(tail)) &&
    [...tails.decoded].every((tail) => tail === "" || typed.decoded.has(tail))
  );
}

function spellingsOf(host: string): string[] {
  return [...new Set([host, normalizeText(toUnicode(host), "NFKC")])];
}

interface Link {
  /** What touches the host before it. */
  readonly before: string;
  /** What follows the host up to a space, or nothing if that cannot be part of a link. */
  readonly after: string;
}

const maxCharacters = 1_000;
const maxBefore = 100;
/** A dot may end the name of a host. */
const afterHost = /[.\u3002]{0,3}([/?#:\\%][^\s<>]{0,1001})/y;

function linksIn(text: string, spellings: readonly string[]): Link[] {
  const lower = text.toLowerCase();
  // Lower case can have another length, and then positions differ.
  const source = lower.length === text.length ? text : lower;
  const links: Link[] = [];
  for (const spelling of spellings)
    for (
      let at = lower.indexOf(spelling);
      at !== -1;
      at = lower.indexOf(spelling, at + spelling.length)
    ) {
      afterHost.lastIndex = at + spelling.length;
      const [, after = ""] = afterHost.exec(source) ?? [];
      const before = source.slice(Math.max(0, at - maxBefore), at);
      links.push({ before: before.split(/\s/).at(-1) ?? "", after });
    }
  return links;
}

function shortestTail({ after }: Link): string {
  const [tail = ""] = /^[^"'`()[\]{}|^«»“”„‘’]*/.exec(after.slice(0, maxCharacters)) ?? [];
  return tail.replace(/[.,;:!?*_~]{1,20}$/, "");
}

const closings: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Signs at the end belong to the link, unless they stand before it too, as in `**link**`. */
function longestTail({ before, after }: Link): string {
  const tail = after.slice(0, endOfBrackets(after));
  const marks = new Set(before.match(/[*_~]/g));
  const isOutside = (sign: string) => /[.,;:!?'"`|«»“”„‘’‹›]/.test(sign) || marks.has(sign);
  let length = tail.length;
  while (length > 0 && isOutside(tail.charAt(length - 1))) length--;
  return tail.length > maxCharacters ? tail : tail.slice(0, length);
}

/** A link ends at a bracket that it did not open, unless more of it seems to follow. */
function endOfBrackets(text: string): number {
  const open: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (Object.values(closings).includes(sign)) open.push(sign);
    const isForeign = sign in closings && open.pop() !== closings[sign];
    if (isForeign && !/^[\p{L}\p{N}/%&=?#_-]/u.test(text.slice(at + 1, at + 3))) return at;
  }
  return text.length;
}

function withoutSlash(tail: string): string {
  return tail.replace(/\/$/, "");
}
