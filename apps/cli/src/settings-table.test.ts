import { settingsTable } from "@bron/settings";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { variableNames } from "./environment-variables.ts";

const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");
const numbers = [
  0, 0.5, 1, 15, 16, 60, 61, 1_024, 1_025, 10_080, 10_081, 65_535, 65_536, 1_000_000, 1_000_001,
];
const others = [true, false, "info", "loud", "json", "demo", "http://x", "ftp://x", "::1", "a b"];

function isValidVariable(variable: string, value: unknown): boolean {
  // An address other than loopback needs a public address too.
  const { problems } = readConfig({ BRON_PUBLIC_URL: "http://x", [variable]: String(value) });
  return problems.length === 0;
}

describe.each(settingsTable)("SR13 the setting $key", ({ variable, schema, ...setting }) => {
  it("stands for a variable with the same default", () => {
    expect(variableNames).toContain(variable);
    const [, initially = ""] =
      new RegExp(`^\\| \`${variable}\` \\| (.*?) \\|`, "m").exec(page) ?? [];
    if (setting.default === undefined) expect(initially).toMatch(/^\(/);
    else expect(initially).toBe(String(setting.default));
  });

  it("accepts the values that the variable accepts", () => {
    const isNumeric = numbers.some((value) => schema.safeParse(value).success);
    for (const value of [...numbers, ...others]) {
      const isValid = schema.safeParse(value).success;
      if (isValid) expect(isValidVariable(variable, value), String(value)).toBe(true);
      // The variable clamps, and a file is not allowed to be wrong.
      else if (isNumeric && typeof value === "number" && variable !== "AGENT_MAX_LOOP_STEPS")
        expect(isValidVariable(variable, value), String(value)).toBe(false);
    }
  });
});
