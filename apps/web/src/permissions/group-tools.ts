import type { ToolView } from "@bron/protocol";

/** By group, in the order of names; within one, what changes something comes first. */
export function groupTools(
  tools: readonly ToolView[],
): { readonly group: string; readonly tools: readonly ToolView[] }[] {
  const groups = Map.groupBy(tools, ({ group }) => group);
  return [...groups]
    .map(([group, members]) => ({
      group,
      tools: members.toSorted(
        (a, b) => Number(b.sideEffect) - Number(a.sideEffect) || a.name.localeCompare(b.name),
      ),
    }))
    .toSorted((a, b) => a.group.localeCompare(b.group));
}
