// Files whose functions may be longer than the limit of the linter.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./source-tree.ts";

interface LintConfig {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly overrides: readonly {
    readonly files: readonly string[];
    readonly rules: Readonly<Record<string, unknown>>;
  }[];
}

const rule = "max-lines-per-function";
const oxlint = join(root, "node_modules/oxlint/bin/oxlint");

/** The exempt files, without the patterns that exempt tests. */
export function filesWithLongFunctions(): string[] {
  return readLintConfig()
    .overrides.filter(({ rules }) => rules[rule] === "allow")
    .flatMap(({ files }) => files)
    .filter((file) => !file.includes("*"));
}

/** Those of the files that are missing, or in which the linter finds no function above the limit. */
export function filesWithinFunctionLimit(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  const folder = mkdtempSync(join(tmpdir(), "bron-lint-"));
  try {
    const config = join(folder, "oxlint.json");
    // Printed as [severity, [options]], and read as [severity, options].
    const limit = [readLintConfig().rules[rule]].flat(2);
    writeFileSync(
      config,
      JSON.stringify({ categories: { correctness: "off" }, rules: { [rule]: limit } }),
    );
    const args = [oxlint, "--config", config, "--format", "json", ...files];
    // It exits with 1 when it finds a long function.
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] };
    const long = new Set(diagnostics.map(({ filename }) => filename.replaceAll("\\", "/")));
    return files.filter((file) => !long.has(file));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readLintConfig(): LintConfig {
  const printed = execFileSync(process.execPath, [oxlint, "--print-config"], {
    cwd: root,
    encoding: "utf8",
  });
  return JSON.parse(printed) as LintConfig;
}
