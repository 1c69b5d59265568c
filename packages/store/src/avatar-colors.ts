/** Told apart at a glance, and white letters can be read on each. The first is the default Bron's. */
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

/** The first that nobody has; if all are taken, one that fewest have. */
export function freeColor(taken: readonly string[]): string {
  const uses = (color: string) => taken.filter((one) => one === color).length;
  const fewest = Math.min(...avatarColors.map(uses));
  return avatarColors.find((color) => uses(color) === fewest) ?? avatarColors[0];
}
