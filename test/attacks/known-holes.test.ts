import { expect, it } from "vitest";
import { generateCases } from "./support/generated/generators.ts";
import { playCase } from "./support/play-case.ts";
import { failuresOf } from "./support/verdict-of-case.ts";

const casesOfHole = Map.groupBy(
  generateCases(1, 40).filter(({ hole }) => hole !== undefined),
  ({ hole }) => hole,
);

it("marks a case as a known hole only as long as it fails", async () => {
  const mended: string[] = [];
  for (const [hole, [one]] of casesOfHole) {
    if (!one) continue;
    const played = await playCase(one, { level: "autonomous", approver: "approves everything" });
    if (failuresOf(one, played).length === 0) mended.push(`${hole}: ${one.name}`);
  }
  expect(mended).toEqual([]);
});
