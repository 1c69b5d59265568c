/**
 * Colors that are easy to tell apart, with enough contrast for white text. The first is the default
 * Bron's.
 */
export const avatarColors = [
  "#3b6ef5",
  "#c2410c",
  "#15803d",
  "#a21caf",
  "#b91c1c",
  "#0f766e",
  "#6d28d9",
  "#a16207",
  "#be185d",
  "#0369a1",
  "#4d7c0f",
  "#57534e",
  "#4338ca",
  "#9f1239",
  "#047857",
  "#92400e",
] as const;

/** Returns the first unused color. If all are used, it returns one of the least used. */
export function pickColor(taken: readonly string[]): string {
  const uses = (color: string) => taken.filter((other) => other === color).length;
  const fewest = Math.min(...avatarColors.map(uses));
  return avatarColors.find((color) => uses(color) === fewest) ?? avatarColors[0];
}
