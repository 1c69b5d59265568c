/** True in `npm run test:crash`, where long tests take every case. `npm test` takes a sample. */
export const isFullSuite = process.env["BRON_CRASH"] === "full";

/** How many random inputs a property test takes: all in the full suite, some in `npm test`. */
export function sampleCount(inFullSuite: number): number {
  return isFullSuite ? inFullSuite : Math.ceil(inFullSuite / 8);
}
