import type { ToolSetPayload } from "./events.ts";

export interface ToolSetDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools that are defined in another way than before. */
  readonly changed: readonly string[];
}

/** What changed from one set of tools to the next, sorted by name. */
export function compareToolSets(
  { tools: before }: Pick<ToolSetPayload, "tools">,
  { tools: after }: Pick<ToolSetPayload, "tools">,
): ToolSetDiff {
  const names = (of: object) => Object.keys(of).toSorted();
  return {
    added: names(after).filter((name) => !Object.hasOwn(before, name)),
    removed: names(before).filter((name) => !Object.hasOwn(after, name)),
    changed: names(after).filter(
      (name) => Object.hasOwn(before, name) && before[name] !== after[name],
    ),
  };
}
