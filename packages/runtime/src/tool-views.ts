import type { Tool } from "@bron/core";
import type { ToolView } from "@bron/protocol";

export function toolViews(tools: Iterable<Tool>): ToolView[] {
  return [...tools]
    .map(({ name, description, sideEffect, group = "general" }) => ({
      name,
      description,
      sideEffect,
      group,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
