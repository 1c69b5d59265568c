import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const programs = [
  "node_modules/vitest/vitest.mjs",
  "node_modules/knip/bin/knip.js",
  "node_modules/oxlint/bin/oxlint",
  "node_modules/oxfmt/bin/oxfmt",
  "node_modules/typescript/bin/tsc",
  "scripts/vocabulary.ts",
];

it("npm run check says after each failed check what to do", () => {
  const folder = mkdtempSync(join(tmpdir(), "bron-check-"));
  try {
    for (const path of programs) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), 'console.log("the mistake"); process.exit(1);\n');
    }
    const script = join(folder, "scripts/check.mjs");
    cpSync(fileURLToPath(new URL("../scripts/check.mjs", import.meta.url)), script);
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect(status).toBe(1);
    const advice = Array.from(
      stdout.matchAll(/^FAILED {2}(\w+(?: \w+)?) .*\n {2}the mistake\n {2}(.+)$/gm),
      ([, name, text]) => `${name}: ${text}`,
    );
    expect(advice.toSorted()).toEqual([
      "architecture: Run one file again: npm test -- test/architecture.test.ts",
      "dead code: Remove the export or file, or use it.",
      "format: Run npm run format.",
      "lint: Lint one file again: npx oxlint --type-aware <file>",
      "types: Check the types again: npx tsc -p . (one file cannot be checked alone)",
      "vocabulary: Use the word of docs/glossary.md, or add an exception to scripts/vocabulary-rules.ts.",
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
