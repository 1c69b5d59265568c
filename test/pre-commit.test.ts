import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const clean = "export const one = 1;\n";
const unformatted = "export const one   = 1\n";
const faulty = "export const one = 1;\nvar two = 2;\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bron-hook-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const name of [".oxfmtrc.json", ".oxlintrc.json"])
    cpSync(join(root, name), join(folder, name));
  git("init", "-q");
  git("add", ".oxfmtrc.json", ".oxlintrc.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
  return spawnSync("git", args, { cwd: folder, encoding: "utf8" }).stdout;
}

function write(text: string): void {
  writeFileSync(join(folder, "one.ts"), text);
}

function stage(text: string): void {
  write(text);
  git("add", "one.ts");
}

function runHook(): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync("sh", [join(root, "scripts/hooks/pre-commit")], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

describe("scripts/hooks/pre-commit", () => {
  it("formats what is staged", () => {
    stage(unformatted);
    expect(runHook().status).toBe(0);
    expect(git("show", ":one.ts")).toBe(clean);
  });

  it("rejects a staged error, also after the file was repaired without staging it", () => {
    stage(faulty);
    write(clean);
    const { status, output } = runHook();
    expect(status).toBe(1);
    expect(output).toContain("no-var");
  });

  it("ignores an error that is not staged, and leaves it in the file", () => {
    stage(clean);
    write(faulty);
    expect(runHook().status).toBe(0);
    expect(git("show", ":one.ts")).toBe(clean);
    expect(readFileSync(join(folder, "one.ts"), "utf8")).toBe(faulty);
  });

  it("asks to format a file that also has unstaged changes", () => {
    stage(unformatted);
    write(faulty);
    const { status, output } = runHook();
    expect(status).toBe(1);
    expect(output).toContain("pre-commit: format one.ts and stage it again");
    expect(readFileSync(join(folder, "one.ts"), "utf8")).toBe(faulty);
  });
});
