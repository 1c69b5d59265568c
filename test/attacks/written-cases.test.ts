import { trustLevels } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { approvers } from "./support/attack-harness.ts";
import { playCase } from "./support/play-case.ts";
import { failuresOf } from "./support/verdict-of-case.ts";
import { otherCases } from "./support/written/other-cases.ts";
import { peopleCases } from "./support/written/people-cases.ts";
import { pageCases, textCases } from "./support/written/text-cases.ts";
import { wordCases } from "./support/written/word-cases.ts";

const full = process.env["BRON_ATTACKS"] === "full";
const settings = trustLevels.flatMap((level) => approvers.map((approver) => ({ level, approver })));
const cases = [...textCases, ...pageCases, ...wordCases, ...peopleCases, ...otherCases];

describe("attacks written by hand", () => {
  it.each(cases.map((one, index) => ({ one, index, name: one.name })))(
    "X3 ask and show a risk: $name",
    async ({ one, index }) => {
      // Nobody approves at the level that asks least, and one other setting is tried.
      const chosen = settings.filter(
        ({ level, approver }, at) =>
          full ||
          (level === "autonomous" && approver === "absent") ||
          at === index % settings.length,
      );
      const failed: string[] = [];
      for (const setting of chosen) {
        const failures = failuresOf(one, await playCase(one, setting));
        if (failures.length > 0)
          failed.push(`${setting.level}, ${setting.approver}: ${failures.join(", ")}`);
      }
      expect(failed.join("\n")).toBe("");
    },
  );
});
