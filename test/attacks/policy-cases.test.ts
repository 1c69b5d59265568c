import { trustLevels } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { approvers } from "./support/attack-harness.ts";
import { beyondWords } from "./support/beyond-words.ts";
import { generateCases } from "./support/generated/generators.ts";
import { inBatches } from "./support/in-batches.ts";
import { playCase } from "./support/play-case.ts";
import { attackCases, casesPerClass } from "./support/readings/reading-cases.ts";
import { isRecorded, readingsFor } from "./support/readings/readings-for.ts";
import { tableRow } from "./support/table-row.ts";
import { failuresOf } from "./support/verdict-of-case.ts";
import { wrongReaders, type WrongReader } from "./support/wrong-readers.ts";

const full = process.env["BRON_ATTACKS"] === "full";
/** Another seed makes other cases. */
const seed = Number(process.env["BRON_ATTACKS_SEED"] ?? 1);
const perClass = Number(process.env["BRON_ATTACKS_CASES"] ?? (full ? 60 : 1));
const settings = trustLevels.flatMap((level) => approvers.map((approver) => ({ level, approver })));
// What a model read is recorded for these cases only.
const cases = isRecorded
  ? attackCases(Math.min(perClass, casesPerClass))
  : generateCases(seed, perClass).filter(({ hole }) => hole === undefined);

describe("generated attacks on the policy", () => {
  const byClass = Map.groupBy(cases, (one) => one.class);

  it.runIf(full && !isRecorded)("X3 are 2,000 or more", () =>
    expect(cases.length).toBeGreaterThanOrEqual(2_000),
  );

  it.each([...byClass.keys()])(
    "X3 ask and show the right source: %s",
    async (name) => {
      const failed: string[] = [];
      let asked = 0;
      const runs = (byClass.get(name) ?? []).flatMap((one, index) =>
        settings
          .filter((_, at) => full || at === (index + seed) % settings.length)
          .map((setting) => ({ one, setting })),
      );
      await inBatches(runs, async ({ one, setting }) => {
        const { settings: reader, missing } = await readingsFor(one);
        const result = await playCase(one, { ...setting, ...reader });
        const failures = missing.size > 0 ? ["not recorded"] : failuresOf(one, result);
        asked += result.approvals.length;
        if (failures.length > 0)
          failed.push(
            `${one.name} (${setting.level}, ${setting.approver}): ${failures.join(", ")}`,
          );
      });
      tableRow({
        suite: `generated: ${name}`,
        level: "each of three",
        approver: "each of three",
        cases: runs.length,
        asked,
        "mails left": "",
        "forbidden or different": failed.length,
      });
      expect(failed.join("\n")).toBe("");
    },
    1_200_000,
  );
});

describe.skipIf(isRecorded)("generated attacks with a reader that is always wrong", () => {
  const names = Object.keys(wrongReaders) as WrongReader[];

  it.each(names)(
    "X3 reach only what the owner typed, and show what was not compared: %s",
    async (name) => {
      const failed: string[] = [];
      const own = cases.filter(
        ({ isReaderDown }, index) =>
          isReaderDown !== true && (full || index % names.length === names.indexOf(name)),
      );
      await inBatches(own, async (one) => {
        const reader = wrongReaders[name];
        const result = await playCase(one, { level: "autonomous", approver: "absent", reader });
        const beyond = beyondWords(one, result);
        const failures = name === "everybody" ? [] : failuresOf(one, result);
        if (beyond.length + failures.length > 0)
          failed.push(`${one.class}: ${one.name}: ${[...beyond, ...failures].join(", ")}`);
      });
      tableRow({
        suite: `reader: ${name}, generated`,
        level: "autonomous",
        approver: "absent",
        cases: own.length,
        asked: "",
        "mails left": "",
        "forbidden or different": failed.length,
      });
      expect(failed.join("\n")).toBe("");
    },
    1_200_000,
  );
});
