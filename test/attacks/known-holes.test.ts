import { describe, expect, it } from "vitest";
import { generateCases } from "./support/generated/generators.ts";
import { playCase } from "./support/play-case.ts";
import { failuresOf } from "./support/verdict-of-case.ts";

const casesOfHole = Map.groupBy(
  generateCases(1, 40).filter(({ hole }) => hole !== undefined),
  ({ hole }) => hole,
);

/** Once a hole is mended, its test fails here. Then its cases lose their mark. */
describe("known holes of the policy", () => {
  it.each([...casesOfHole.keys()])("%s", async (hole) => {
    const [one] = casesOfHole.get(hole) ?? [];
    if (!one) throw new Error("The hole has no case");
    const played = await playCase(one, { level: "autonomous", approver: "approves everything" });
    expect(failuresOf(one, played)).not.toEqual([]);
  });
});
