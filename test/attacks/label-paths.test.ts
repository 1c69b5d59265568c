import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { caseOf, endings, hops, sources, type LabelPath } from "./support/label-path.ts";
import { playCase } from "./support/play-case.ts";
import { failuresOf } from "./support/verdict-of-case.ts";

const path: fc.Arbitrary<LabelPath> = fc.record({
  source: fc.constantFrom(...sources),
  // A child run may start another one, and that one none.
  hops: fc
    .array(fc.constantFrom(...hops), { maxLength: 4 })
    .filter((drawn) => drawn.filter((hop) => hop === "child").length <= 2),
  ending: fc.constantFrom(...endings),
});

/** Each way alone, so that a sample leaves none out. */
const alone: readonly LabelPath[] = [
  ...sources.map((source): LabelPath => ({ source, hops: [], ending: "mail" })),
  ...hops.map((hop): LabelPath => ({ source: "mail", hops: [hop], ending: "mail" })),
  ...endings.map((ending): LabelPath => ({ source: "mail", hops: [], ending })),
];

it("X4 X3 text of a stranger keeps its labels on every way to a person", async () => {
  await fc.assert(
    fc.asyncProperty(path, async (drawn) => {
      const one = caseOf(drawn);
      const played = await playCase(one, {
        level: "autonomous",
        approver: "approves what is clean",
      });
      expect(failuresOf(one, played), one.name).toEqual([]);
      const risks = played.approvals.filter(one.isAttack).flatMap((approval) => approval.risks);
      expect(
        risks.some(({ kind, from }) => kind === "host" && from.length > 0),
        `${one.name}: ${JSON.stringify(risks)}`,
      ).toBe(true);
    }),
    { numRuns: alone.length + sampleCount(160), examples: alone.map((one): [LabelPath] => [one]) },
  );
}, 300_000);
