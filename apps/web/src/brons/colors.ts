import { bronsWords } from "../words/brons.ts";

/**
 * Easily distinguished colors, in the order in which the server assigns them. Any other color is
 * allowed.
 */
export const colors = [
  { value: "#3b6ef5", name: bronsWords.colors.blue },
  { value: "#c2410c", name: bronsWords.colors.orange },
  { value: "#15803d", name: bronsWords.colors.green },
  { value: "#a21caf", name: bronsWords.colors.purple },
  { value: "#b91c1c", name: bronsWords.colors.red },
  { value: "#0f766e", name: bronsWords.colors.teal },
  { value: "#6d28d9", name: bronsWords.colors.violet },
  { value: "#a16207", name: bronsWords.colors.ochre },
  { value: "#be185d", name: bronsWords.colors.pink },
  { value: "#57534e", name: bronsWords.colors.gray },
] as const;
