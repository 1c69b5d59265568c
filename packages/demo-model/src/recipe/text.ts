/** The words of a request. Readers take their words out, so that nothing is read twice. */
export interface Text {
  /** The words that are left. Taken words are blanks. */
  rest(): string;
  has(pattern: RegExp): boolean;
  /**
   * Takes the first match out and returns its group `value`, or else all of it. With `keep` it takes
   * and returns the start of the value that `keep` returns. The rest of the match stays.
   */
  take(pattern: RegExp, keep?: (value: string) => string): string | undefined;
  /** Takes the first match out and returns its groups. */
  takeGroups(pattern: RegExp): Readonly<Record<string, string | undefined>> | undefined;
  /** Takes all matches out. Each value is returned once. */
  takeAll(pattern: RegExp): readonly string[];
}

/** Patterns ignore case. */
export function createText(words: string): Text {
  let rest = words;
  const exec = (pattern: RegExp, flags = "i") =>
    new RegExp(pattern.source, pattern.flags.replace(/[gi]/g, "") + flags).exec(rest);
  const remove = (start: number, end: number) => {
    rest = `${rest.slice(0, start)}${" ".repeat(end - start)}${rest.slice(end)}`;
  };
  const takeMatch = (pattern: RegExp) => {
    const match = exec(pattern);
    if (match !== null) remove(match.index, match.index + match[0].length);
    return match ?? undefined;
  };
  const take = (pattern: RegExp, keep?: (value: string) => string) => {
    if (keep === undefined) {
      const match = takeMatch(pattern);
      return match?.groups?.["value"] ?? match?.[0];
    }
    const match = exec(pattern, "id");
    const [start, end] = match?.indices?.groups?.["value"] ?? match?.indices?.[0] ?? [0, 0];
    const value = rest.slice(start, end);
    const kept = keep(value);
    const isAll = kept.length === value.length;
    if (match !== null)
      remove(match.index, isAll ? match.index + match[0].length : start + kept.length);
    return match === null ? undefined : kept;
  };
  return {
    rest: () => rest,
    has: (pattern) => exec(pattern) !== null,
    take,
    takeGroups: (pattern) => {
      const match = takeMatch(pattern);
      return match === undefined ? undefined : (match.groups ?? {});
    },
    takeAll(pattern) {
      const values = new Set<string>();
      for (let value = take(pattern); value !== undefined; value = take(pattern)) values.add(value);
      return [...values];
    },
  };
}
