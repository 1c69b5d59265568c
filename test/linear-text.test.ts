import { growthPerCharacter } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { hostileTexts } from "./support/hostile-texts.ts";
import { forgottenFunctions, textFunctions } from "./support/text-functions.ts";

const [short, long] = [64 * 1024, 512 * 1024];

describe("text of others takes time in proportion to its length, whatever it says", () => {
  it.each(textFunctions)("$name", async ({ run, kinds, share }) => {
    for (const { name, ofLength } of hostileTexts(kinds)) {
      const growth = await growthPerCharacter(run, ofLength(short * share), ofLength(long * share));
      expect(growth, `the CPU time for each character, from 64 to 512 KB of ${name}`).toBeLessThanOrEqual(2);
    }
  }, 120_000);

  it("is tried with every function of these modules", () => expect(forgottenFunctions()).toEqual([]));

  it("is noticed where it does not", async () => {
    expect(await growthPerCharacter((text) => /\s*\n/.test(text), " ".repeat(2_000), " ".repeat(16_000))).toBeGreaterThan(4);
  });
});
