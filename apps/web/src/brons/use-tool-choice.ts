import type { BronView, ToolView } from "@bron/protocol";
import { useChangedBron } from "./use-changed-bron.ts";

/** The tools that a Bron has. */
export interface ChosenTools {
  /** It has all tools, including new ones. */
  readonly isAll: boolean;
  readonly count: number;
  readonly error: Error | null;
  has(tool: string): boolean;
  set(tool: string, isChosen: boolean): void;
  setAll(isAll: boolean): void;
}

/** A first choice has every present tool. Names of tools that are gone are dropped by a change. */
export function useToolChoice(bron: BronView, tools: readonly ToolView[]): ChosenTools {
  const change = useChangedBron(bron.id);
  const known = tools.map(({ name }) => name);
  const chosen = new Set(bron.tools ?? known);
  return {
    isAll: bron.tools === null,
    count: known.filter((name) => chosen.has(name)).length,
    error: change.error,
    has: (tool) => chosen.has(tool),
    set: (tool, isChosen) =>
      change.mutate({
        tools: known.filter((name) => (name === tool ? isChosen : chosen.has(name))),
      }),
    setAll: (isAll) => change.mutate({ tools: isAll ? null : known }),
  };
}
