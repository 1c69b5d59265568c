import type { EffectFacts } from "../policy/effect-facts.ts";
import { normalizeAddress } from "../policy/text/names.ts";
import { wordsIn } from "../policy/owner-words/words-in.ts";
import { matchDictated, type DictatedMatch } from "./dictated-text.ts";
import type { ResolvedAsk } from "./intent.ts";

type Dictation = Pick<ResolvedAsk, "dictated" | "names">;

/** Undefined if the owner dictated nothing, or if the effect has no text. */
export function dictatedMatch(
  { text, titles = [], account, recipients }: EffectFacts,
  { dictated, names = [] }: Dictation,
): DictatedMatch | undefined {
  if (dictated.length === 0 || (text === undefined && titles.length === 0)) return undefined;
  const named = {
    recipients: new Set([
      ...names.flatMap(wordsIn),
      ...recipients.flatMap(({ address, known }) => [
        ...wordsIn(nameOfMailbox(normalizeAddress(address))),
        ...(known?.names.flatMap(wordsIn) ?? []),
      ]),
    ]),
    owner: new Set(wordsIn(account)),
  };
  return matchDictated(dictated, { text, titles }, named);
}

/** The owner dictated everything that leaves, so no private text is in it. */
export function isAllDictated(facts: EffectFacts, ask: Dictation): boolean {
  const { titles = [], attachments } = facts;
  const dictated = new Set(ask.dictated.map((text) => text.trim()));
  return (
    attachments.length === 0 &&
    titles.every((title) => title.trim() === "" || dictated.has(title.trim())) &&
    dictatedMatch(facts, ask)?.isAllText === true
  );
}

function nameOfMailbox(address: string): string {
  return address.slice(0, Math.max(0, address.lastIndexOf("@")));
}
