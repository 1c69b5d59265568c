import { randomFrom } from "@bron/testing";
import { beforeEach } from "vitest";

/**
 * Returns a generator of numbers from 0 to 1 that depend only on the seed. Each process draws
 * another seed. A failing test prints it, and the variable BRON_TEST_SEED sets it. Call this once,
 * outside of tests.
 */
export function seededRandom(): () => number {
  const seed = Number(process.env["BRON_TEST_SEED"] ?? Date.now() % 2 ** 31);
  beforeEach(({ onTestFailed }) =>
    onTestFailed(() => console.log(`Run again with BRON_TEST_SEED=${seed}`)),
  );
  return randomFrom(seed);
}
