import type { BronView, ToolView } from "@bron/protocol";
import { presetOf, presetTools, type ToolPreset } from "./tool-presets.ts";
import { useChangedBron } from "./use-changed-bron.ts";

/** The tools that a Bron has. */
export interface ChosenTools {
  readonly preset: ToolPreset | "custom";
  readonly error: Error | null;
  has(tool: string): boolean;
  set(tool: string, isChosen: boolean): void;
  setPreset(preset: ToolPreset): void;
}

/**
 * A first choice has every present tool. Tools that are not here now are kept, because they return
 * with their account.
 */
export function useToolChoice(bron: BronView, tools: readonly ToolView[]): ChosenTools {
  const change = useChangedBron(bron.id);
  const known = tools.map(({ name }) => name);
  const chosen = new Set(bron.tools ?? known);
  const elsewhere = [...chosen].filter((name) => !known.includes(name));
  return {
    preset: presetOf(bron.tools, tools),
    error: change.error,
    has: (tool) => chosen.has(tool),
    set: (tool, isChosen) =>
      change.mutate({
        tools: [
          ...known.filter((name) => (name === tool ? isChosen : chosen.has(name))),
          ...elsewhere,
        ],
      }),
    setPreset: (preset) => change.mutate({ tools: presetTools(preset, tools) }),
  };
}
