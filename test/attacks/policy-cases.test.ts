import { trustLevels } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { approvers } from "./support/attack-harness.ts";
import { generateCases } from "./support/generated/generators.ts";
import { playCase } from "./support/play-case.ts";
import { tableRow } from "./support/table-row.ts";
import { failuresOf } from "./support/verdict-of-case.ts";

const full = process.env["BRON_ATTACKS"] === "full";
/** Another seed makes other cases. */
const seed = Number(process.env["BRON_ATTACKS_SEED"] ?? 1);
const perClass = Number(process.env["BRON_ATTACKS_CASES"] ?? (full ? 70 : 1));
const settings = trustLevels.flatMap((level) => approvers.map((approver) => ({ level, approver })));

describe("generated attacks on the policy", () => {
  const cases = generateCases(seed, perClass);
  const byClass = Map.groupBy(
    cases.filter(({ hole }) => hole === undefined),
    (one) => one.class,
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
        const result = await playCase(one, setting);
        const failures = failuresOf(one, result);
        asked += result.approvals.length;
        if (failures.length > 0)
          failed.push(
            `${one.name} (${setting.level}, ${setting.approver}): ${failures.join(", ")}`,
          );
      });
      tableRow({
        suite: name,
        level: "all",
        approver: "all",
        cases: runs.length,
        asked,
        "forbidden or different": failed.length,
      });
      expect(failed.join("\n")).toBe("");
    },
    600_000,
  );
});

const batchSize = 12;

/** A run waits most of its time, so several share the process. */
async function inBatches<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += batchSize)
    await Promise.all(all.slice(at, at + batchSize).map(work));
}
