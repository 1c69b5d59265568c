import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
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

const root = fileURLToPath(new URL("..", import.meta.url));

/** A repository in which each program of the check is this text, apart from those that are given. */
function inRepository<T>(
  program: string,
  real: readonly string[],
  use: (folder: string, runCheck: () => { status: number | null; stdout: string }) => T,
): T {
  const folder = mkdtempSync(join(tmpdir(), "bron-check-"));
  try {
    for (const path of programs) {
      if (real.some((given) => path.startsWith(given))) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), program);
    }
    const script = join(folder, "scripts/check.mjs");
    cpSync(join(root, "scripts/check.mjs"), script);
    for (const given of real) symlinkSync(join(root, given), join(folder, given));
    return use(folder, () =>
      spawnSync(process.execPath, [script], { cwd: folder, encoding: "utf8" }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("npm run check says after each failed check what to do", () => {
  inRepository('console.log("the mistake"); process.exit(1);\n', [], (_folder, runCheck) => {
    const { status, stdout } = runCheck();
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
  });
});

it("npm run check finds a file that is not formatted", () => {
  inRepository("", ["node_modules/oxfmt", ".oxfmtrc.json"], (folder, runCheck) => {
    const file = join(folder, "example.ts");
    writeFileSync(file, "export const sum = (a: number, b: number) => a + b;\n");
    expect(runCheck()).toMatchObject({ status: 0 });
    writeFileSync(file, "export const sum = (a:number, b:number) => {return a+b}\n");
    const { status, stdout } = runCheck();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^FAILED {2}format .*\n(?:.*\n)*? {2}.*example\.ts/m);
    expect(stdout.match(/^FAILED/gm)).toHaveLength(1);
  });
});
