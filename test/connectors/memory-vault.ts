import type { Grant, TokenVault } from "@bron/core";

/** One owner's tokens, for as long as a test runs. */
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
