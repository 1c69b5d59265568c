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

/** `host` has the form of `linkedHosts`. Its spellings in the text are found without `www.`. */
export function linkTails(host: string, text: string): LinkTails {
  const spellings = spellingsOf(host.replace(/^www\./, ""));
  const written = normalizeText(withoutUnseen(text), "NFKC");
  return {
    asWritten: new Set(tailsIn(written, spellings)),
    decoded: new Set(readingsOf(text).flatMap((reading) => tailsIn(reading, spellings))),
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

const afterHost = /[/?#:\\%][^\s<>"'`()[\]{}|^«»“”„‘’]{0,1000}/y;

function tailsIn(text: string, spellings: readonly string[]): string[] {
  const lower = text.toLowerCase();
  // Lower case can have another length, and then positions differ.
  const source = lower.length === text.length ? text : lower;
  const tails: string[] = [];
  for (const spelling of spellings)
    for (
      let at = lower.indexOf(spelling);
      at !== -1;
      at = lower.indexOf(spelling, at + spelling.length)
    ) {
      afterHost.lastIndex = at + spelling.length;
      const [tail = ""] = afterHost.exec(source) ?? [];
      tails.push(tail.replace(/[.,;:!?*_~]{1,20}$/, "").replace(/\/$/, ""));
    }
  return tails;
}
