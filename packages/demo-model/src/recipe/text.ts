/** The words of a request. Readers take their words out, so that nothing is read twice. */
export interface Text {
  /** The words that are left. Taken words are blanks. */
  rest(): string;
  has(pattern: RegExp): boolean;
  /** Takes the first match out and returns its group `value`, or else all of it. */
  take(pattern: RegExp): string | undefined;
  /** Takes the first match out and returns its groups. */
  takeGroups(pattern: RegExp): Readonly<Record<string, string | undefined>> | undefined;
  /** Takes all matches out. Each value is returned once. */
  takeAll(pattern: RegExp): readonly string[];
}

/** Patterns ignore case. */
export function createText(words: string): Text {
  let rest = words;
  const exec = (pattern: RegExp) =>
    new RegExp(pattern.source, pattern.flags.replace(/[gi]/g, "") + "i").exec(rest);
  const takeMatch = (pattern: RegExp) => {
    const match = exec(pattern);
    if (match === null) return undefined;
    const end = match.index + match[0].length;
    rest = `${rest.slice(0, match.index)}${" ".repeat(match[0].length)}${rest.slice(end)}`;
    return match;
  };
  const take = (pattern: RegExp) => {
    const match = takeMatch(pattern);
    return match?.groups?.["value"] ?? match?.[0];
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
