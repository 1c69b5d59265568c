import { growthPerCharacter, isFullSuite } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { hostileTexts } from "./support/hostile-texts.ts";
import { forgottenFunctions, textFunctions } from "./support/text-functions.ts";

/**
 * `npm run test:crash` tries every function with texts of these lengths. `npm test` uses a
 * sixteenth of the length, and less for slow functions. Quadratic time shows there too: even at
 * a hundredth of a nanosecond for each pair of characters, 32 KB take more than the limit of 4 ms.
 * It also leaves out every second text of a function, a different half for each.
 */
const [short, long] = [64 * 1024, 512 * 1024];

describe("untrusted text takes CPU time in proportion to its length", () => {
  it.each(textFunctions.map((one, index) => ({ ...one, index })))(
    "$name",
    async ({ run, kinds, share, index }) => {
      const part = isFullSuite ? 1 : Math.min(share / 8, 1 / 16);
      const texts = hostileTexts(kinds).filter((_, at) => isFullSuite || at % 2 === index % 2);
      for (const { name, ofLength } of texts) {
        const growth = await growthPerCharacter(
          run,
          ofLength(short * part),
          ofLength(long * part),
          { floorMs: Math.max(0.25, part) },
        );
        expect(
          growth,
          `the CPU time for each character, from ${(short * part) / 1024} to ${(long * part) / 1024} KB of ${name}`,
        ).toBeLessThanOrEqual(2);
      }
    },
    isFullSuite ? 600_000 : 120_000,
  );

  it("is tested with every function of these modules", () =>
    expect(forgottenFunctions()).toEqual([]));

  it("detects a function that takes quadratic time", async () => {
    expect(
      await growthPerCharacter((text) => /\s*\n/.test(text), " ".repeat(2_000), " ".repeat(16_000)),
    ).toBeGreaterThan(4);
  });
});
