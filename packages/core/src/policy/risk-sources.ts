import type { Risk } from "@bron/protocol";
import { keyOf, type RunLabels, type SeenKind, type Source } from "./run-labels.ts";

/** The results in which a value was seen. */
export function sourcesOf({ seen }: RunLabels, kind: SeenKind, value: string): Risk["from"] {
  return distinct(seen.get(keyOf(kind, value)) ?? []);
}

/** Each result once. */
export function distinct(sources: readonly Source[]): Risk["from"] {
  return [
    ...new Map(
      sources.map(({ origin, tool, actionId }) => [actionId, { origin, tool, actionId }]),
    ).values(),
  ];
}

export function hasPrivateText({ untrusted }: RunLabels): boolean {
  return untrusted.some((source) => source.private);
}
