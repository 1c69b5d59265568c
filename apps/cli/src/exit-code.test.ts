import { errorCodes } from "@bron/protocol";
import { expect, test } from "vitest";
import { exitCodeOfError, exitCodeOfRun } from "./exit-code.ts";

test("every error has its exit code", () => {
  const byCode = Object.groupBy(errorCodes, (code) => String(exitCodeOfError(code)));
  expect({ 2: byCode["2"], 3: byCode["3"], 4: byCode["4"], 130: byCode["130"] }).toEqual({
    2: [
      "invalid_input",
      "too_large",
      "model_unknown",
      "config_invalid",
      "home_unusable",
      "database_refused",
      "secret_key_missing",
      "secret_key_changed",
    ],
    3: ["unauthenticated", "missing_credentials"],
    4: ["effect_unknown"],
    130: ["interrupted"],
  });
  expect(byCode["0"]).toBeUndefined();
});

test.each([
  ["completed", "done", false, 0],
  ["completed", "partly_done", false, 1],
  ["completed", "could_not", false, 1],
  ["completed", "needs_answer", false, 3],
  ["completed", "denied", false, 5],
  ["completed", "partly_done", true, 4],
  ["failed", "could_not", false, 1],
  ["failed", "could_not", true, 4],
  ["canceled", "could_not", false, 130],
  ["awaiting_confirmation", null, false, 3],
  ["awaiting_auth", null, false, 3],
] as const)(
  "a run that is %s (outcome: %s, unknown effect: %s) exits with %i",
  (status, outcome, unknown, code) => {
    expect(exitCodeOfRun({ status, outcome }, unknown)).toBe(code);
  },
);
