/** A seeded random source. The same calls return the same values on every machine. */
export interface Random {
  /** From `least` to `most`, both inclusive. */
  readonly int: (least: number, most: number) => number;
  readonly pick: <Item>(items: readonly [Item, ...Item[]] | readonly Item[]) => Item;
  readonly chance: (probability: number) => boolean;
  /** An independent source, so one data set can grow without changing the others. */
  readonly fork: (name: string) => Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    int,
    pick: <Item>(items: readonly Item[]) => items[int(0, items.length - 1)] as Item,
    chance: (probability) => next() < probability,
    fork: (name) =>
      createRandom(
        Array.from(name).reduce(
          (mixed, letter) => Math.imul(mixed ^ letter.charCodeAt(0), 16_777_619),
          seed ^ 0x811c9dc5,
        ),
      ),
  };
}
