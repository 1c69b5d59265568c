import { expect, test } from "vitest";
import { removeStatement } from "./remove-statement.ts";

test("RT9 removes each sentence with the statement or most of its words, and no other", () => {
  const summary =
    "Mara runs a workshop.\nThe code of her garage is 4711. She likes tea. Her garage code may change.";
  expect(removeStatement(summary, "The garage code is 4711")).toBe(
    "Mara runs a workshop.\nShe likes tea.",
  );
  expect(removeStatement(summary, "She drives a boat")).toBe(summary);
});

test("RT9 finds a statement in other forms of its words", () => {
  expect(removeStatement("Ist gegen Nüsse allergisch. Mag Tee.", "Allergie gegen Nüsse")).toBe(
    "Mag Tee.",
  );
});
