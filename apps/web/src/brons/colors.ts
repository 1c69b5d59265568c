import { texts } from "../texts.ts";

/**
 * Easily distinguished colors, in the order in which the server assigns them. Any other color is
 * allowed.
 */
export const colors = [
  { value: "#3b6ef5", name: texts.brons.colors.blue },
  { value: "#c2410c", name: texts.brons.colors.orange },
  { value: "#15803d", name: texts.brons.colors.green },
  { value: "#a21caf", name: texts.brons.colors.purple },
  { value: "#b91c1c", name: texts.brons.colors.red },
  { value: "#0f766e", name: texts.brons.colors.teal },
  { value: "#6d28d9", name: texts.brons.colors.violet },
  { value: "#a16207", name: texts.brons.colors.ochre },
  { value: "#be185d", name: texts.brons.colors.pink },
  { value: "#57534e", name: texts.brons.colors.gray },
] as const;
