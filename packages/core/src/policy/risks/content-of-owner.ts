import type { Compared } from "../../intent/outside-ask.ts";
import { contentValues } from "../text/content-values.ts";
import type { EffectFacts } from "../effect-facts.ts";

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
export function contentOfOwner(
  { copied }: EffectFacts,
  compared: Compared | undefined,
): ChosenContent {
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
