/** From and to, as parts of the height: what has been on the screen stays the same part when lines break otherwise. */
export type Part = readonly [from: number, to: number];

/** With one more, in order and without overlaps. */
export function withPart(parts: readonly Part[], part: Part): readonly Part[] {
  const merged: Part[] = [];
  for (const [from, to] of [...parts, part].toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], to)];
    else merged.push([from, to]);
  }
  return merged;
}

/** What is missing of the whole, but for slivers thinner than `slack`. */
export function unseenParts(parts: readonly Part[], slack: number): readonly Part[] {
  const unseen: Part[] = [];
  let at = 0;
  for (const [from, to] of [...parts, [1, 1] as const]) {
    if (from - at > slack) unseen.push([at, from]);
    at = Math.max(at, to);
  }
  return unseen;
}
