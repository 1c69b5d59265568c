import { randomFrom } from "@bron/testing";

/** Random choices that depend only on a seed. */
export interface Pick {
  /** A number from 0 to `end`, without it. */
  number(end: number): number;
  one<T>(list: readonly T[]): T;
  /** Several different entries, in random order. */
  some<T>(list: readonly T[], count: number): T[];
  chance(share: number): boolean;
}

export function createPick(seed: number): Pick {
  const random = randomFrom(seed);
  const number = (end: number) => Math.floor(random() * end);
  return {
    number,
    one(list) {
      if (list.length === 0) throw new RangeError("Nothing to choose from");
      return list[number(list.length)]!;
    },
    some(list, count) {
      const rest = [...list];
      return Array.from({ length: Math.min(count, rest.length) }, () =>
        rest.splice(number(rest.length), 1),
      ).flat();
    },
    chance: (share) => random() < share,
  };
}
