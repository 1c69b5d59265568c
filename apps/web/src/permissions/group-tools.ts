import type { ToolView } from "@bron/protocol";

/** Groups tools, sorted by name. Within a group, tools with side effects come first. */
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
