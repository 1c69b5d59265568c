import type { Compared } from "../../intent/outside-ask.ts";
import { contentValues } from "../text/content-values.ts";
import { areTailsIn, linkTails, typedTails } from "../text/link-tails.ts";
import { textOf, type EffectFacts } from "../effect-facts.ts";

/** What needs no approval, because the owner chose it. `files` are digests. */
export interface ChosenContent {
  readonly hosts: readonly string[];
  readonly values: readonly string[];
  readonly files: readonly string[];
}

const nothing: ChosenContent = { hosts: [], values: [], files: [] };

/**
 * Returns the content of an effect that the owner chose. They dictated it and it leaves word for
 * word, or code copied it from the thing that they asked to forward.
 */
export function contentOfOwner(facts: EffectFacts, compared: Compared | undefined): ChosenContent {
  const { ask, outside } = compared ?? {};
  if (!ask || !outside) return nothing;
  const { copied } = facts;
  const { hosts, values } =
    ask.dictated.length > 0 && outside.dictated.length === 0
      ? inDictated(facts, ask.dictated.join("\n"))
      : nothing;
  const {
    hosts: copiedHosts,
    values: copiedValues,
    files,
  } = ask.effect === "forward" && outside.things.length === 0 && copied ? copied : nothing;
  return { hosts: [...hosts, ...copiedHosts], values: [...values, ...copiedValues], files };
}

/** What the owner dictated, without hosts to which the rest of the effect has another link. */
function inDictated(facts: EffectFacts, dictated: string): Omit<ChosenContent, "files"> {
  const { hosts, values } = contentValues(dictated);
  const text = textOf(facts);
  const isTyped = (host: string) => areTailsIn(linkTails(host, text), typedTails(host, dictated));
  return { hosts: hosts.filter(isTyped), values };
}
