import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extendModelNames, isAcceptedEverywhere, toolNamed } from "./tool-names.ts";

describe("the names that the model sees", () => {
  it("are the tools' own where every provider accepts them, and aliases otherwise", () => {
    const table = extendModelNames(new Map(), ["a.b", "a_b", "a/b", "9", "c".repeat(70)]);
    expect(Object.fromEntries(table)).toEqual({
      "a.b": "a_b_2",
      a_b: "a_b",
      "a/b": "a_b_3",
      "9": "_9",
      ["c".repeat(70)]: "c".repeat(64),
    });
  });

  it("are accepted, differ, never change their meaning, and lead back to the tool", () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, maxLength: 80 }),
      fc.constantFrom("a.b", "a_b", "a_b_2", "a/b", `${"x".repeat(64)}.`, "x".repeat(64)),
    );
    fc.assert(
      fc.property(fc.array(fc.array(name, { maxLength: 8 }), { maxLength: 6 }), (sets) => {
        let table: ReadonlyMap<string, string> = new Map();
        for (const names of sets) {
          const next = extendModelNames(table, names);
          for (const [known, shown] of table) expect(next.get(known)).toBe(shown);
          expect(extendModelNames(table, names)).toEqual(next);
          table = next;
        }
        expect([...table.values()].every(isAcceptedEverywhere)).toBe(true);
        expect(new Set(table.values()).size).toBe(table.size);
        for (const [known, shown] of table) expect(toolNamed(table, shown)).toBe(known);
      }),
      { numRuns: 200 },
    );
  });
});
