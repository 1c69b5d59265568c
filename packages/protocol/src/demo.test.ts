import { expect, it } from "vitest";
import { demoExamples } from "./demo.ts";

it("takes the first example of each third of the suggestions", () => {
  expect(demoExamples(["a", "b", "c", "d", "e", "f", "g"])).toEqual(["a", "c", "e"]);
});

it("has three examples without suggestions", () => {
  expect(demoExamples([])).toHaveLength(3);
});
