import type { Compared } from "../intent/outside-ask.ts";
import { contentValues } from "./content-values.ts";
import type { EffectFacts } from "./effect-facts.ts";

/** Links, values and digests of files. */
export interface FreeContent {
  readonly hosts: readonly string[];
  readonly values: readonly string[];
  readonly files: readonly string[];
}

const nothing: FreeContent = { hosts: [], values: [], files: [] };

/**
 * What of an effect is the owner's choice: what they dictated and what leaves word for word, and what
 * code copied from the thing that they asked to forward.
 */
export function contentOfOwner(
  { copied }: EffectFacts,
  compared: Compared | undefined,
): FreeContent {
  const { ask, outside } = compared ?? {};
  if (!ask || !outside) return nothing;
  const { hosts, values } =
    ask.dictated.length > 0 && outside.dictated.length === 0
      ? contentValues(ask.dictated.join("\n"))
      : nothing;
  const {
    hosts: copiedHosts,
    values: copiedValues,
    files,
  } = ask.effect === "forward" && outside.things.length === 0 && copied ? copied : nothing;
  return { hosts: [...hosts, ...copiedHosts], values: [...values, ...copiedValues], files };
}
