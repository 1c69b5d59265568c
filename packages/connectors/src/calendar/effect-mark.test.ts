import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMarkedWith, markWith, newMark } from "./effect-mark.ts";

type Properties = Record<string, string>;

/** Merges a patch like Google does. Null removes a property. */
function patched(before: Properties, change: Record<string, string | null>): Properties {
  const kept = Object.entries(before).filter(([name]) => change[name] !== null);
  return Object.fromEntries([
    ...kept,
    ...Object.entries(change).flatMap(([name, value]) =>
      value === null ? [] : [[name, value] as const],
    ),
  ]);
}

const eventWith = (properties: Properties) => ({ extendedProperties: { private: properties } });

describe("the mark of a change", () => {
  it("X2 stays on the event through later changes, beside properties of others", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 130 }), (changes) => {
        const marks = Array.from({ length: changes }, newMark);
        let properties: Properties = { theirs: "kept", bronEffect: "of an old Bron" };
        for (const mark of marks)
          properties = patched(properties, markWith(mark, eventWith(properties)));
        const newest = marks.slice(-50);
        expect(newest.filter((mark) => !isMarkedWith(mark, eventWith(properties)))).toEqual([]);
        expect(Object.keys(properties)).toHaveLength(newest.length + 2);
        expect(properties).toMatchObject({ theirs: "kept", bronEffect: "of an old Bron" });
      }),
      { numRuns: 20 },
    );
  });

  it("X2 is not found on an unmarked event", () => {
    expect(isMarkedWith(newMark(), {})).toBe(false);
    expect(isMarkedWith(newMark(), eventWith({ [`bron${newMark()}`]: "1" }))).toBe(false);
  });

  it("RT9 has a name that Google accepts", () => {
    for (const name of Object.keys(markWith(newMark())))
      expect(name.length).toBeLessThanOrEqual(44);
  });
});
