/** Start and end as fractions of the height, which stay valid when the lines wrap differently. */
export type Range = readonly [from: number, to: number];

/** Adds a range. The result is sorted and has no overlaps. */
export function addRange(ranges: readonly Range[], range: Range): readonly Range[] {
  const merged: Range[] = [];
  for (const [from, to] of [...ranges, range].toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

/** The ranges that are missing from 0 to 1, except those thinner than `slack`. */
export function unseenRanges(ranges: readonly Range[], slack: number): readonly Range[] {
  const unseen: Range[] = [];
  let at = 0;
  for (const [from, to] of [...ranges, [1, 1] as const]) {
    if (from - at > slack) unseen.push([at, from]);
    at = Math.max(at, to);
  }
  return unseen;
}
