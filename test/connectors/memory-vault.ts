import type { Grant, TokenVault } from "@bron/core";

/** Keeps one owner's tokens in memory. */
export function memoryVault(first?: Grant): TokenVault {
  let kept = first;
  return {
    load: () => Promise.resolve(kept),
    save(_, __, grant) {
      kept = grant;
      return Promise.resolve();
    },
    renew(_, __, ___, renewed) {
      kept = renewed;
      return Promise.resolve(true);
    },
    remove() {
      kept = undefined;
      return Promise.resolve();
    },
  };
}
