import type { Risk } from "@bron/protocol";
import type { EffectFacts } from "./effect-facts.ts";
import type { JudgeInput } from "./judge-input.ts";
import { normalizeAddress } from "./text/names.ts";

/** What the model may leave out of a text before the owner is asked about it. */
export interface Rewrite {
  /** Names the kind of effect and its targets. A run gets one offer for each. */
  readonly key: string;
  /** Links and values that the owner did not mention. */
  readonly values: readonly string[];
}

const maxValues = 10;
const maxCharacters = 200;

/** An offer, if links and values in the text are the only risks. The owner's edit gets none. */
export function offerRewrite(
  { tool, effectKind, facts, edited }: JudgeInput,
  risks: readonly Risk[],
): Rewrite | undefined {
  const isText = risks.every(
    ({ why }) =>
      typeof why === "object" &&
      (why.code === "link_not_mentioned" || why.code === "value_not_mentioned"),
  );
  if (!isText || risks.length === 0 || edited !== undefined || effectKind === undefined)
    return undefined;
  return {
    key: JSON.stringify([effectKind, tool, ...targetsOf(facts)]),
    values: risks.slice(0, maxValues).map(({ value }) => value.slice(0, maxCharacters)),
  };
}

function targetsOf({ recipients, things = [] }: EffectFacts): string[] {
  return [
    ...recipients.map(({ address }) => normalizeAddress(address)),
    ...things.map(({ kind, id }) => `${kind} ${id}`),
  ].toSorted();
}
