import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../scripts/check-titles.mjs", import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bron-titles-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function check(...args: string[]): { readonly status: number | null; readonly stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stderr };
}

function checkMessage(message: string) {
  const file = join(folder, "message");
  writeFileSync(file, message);
  return check("--message", file);
}

/** What is wrong with each title, from one process for all of them. */
function problemsOf(titles: readonly string[]): string[][] {
  const program = `
    import { checkTitle } from ${JSON.stringify(pathToFileURL(script).href)};
    console.log(JSON.stringify(JSON.parse(process.argv[1]).map(checkTitle)));`;
  const args = ["--input-type=module", "--eval", program, JSON.stringify(titles)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as string[][];
}

describe("scripts/check-titles.mjs", () => {
  it("accepts titles of this form, and those that git writes", () => {
    const titles = [
      "feat(core): add child runs",
      "fix: pass the digest to the card",
      "refactor(web, cli): rename parts to deps",
      "build!: require Node 20",
      'Revert "feat(core): add child runs"',
      'Reapply "feat(core): add child runs"',
    ];
    expect(problemsOf(titles)).toEqual(titles.map(() => []));
  });

  it.each([
    "fixup! feat(core): add child runs",
    "Merge branch 'main' into child-runs",
    "docs: embed the diagram\n\nThe body may say anything, at any length. ".repeat(3),
    "# a comment of git\n\ntest: seed the random numbers",
  ])("accepts the message %j", (message) => {
    expect(checkMessage(message)).toEqual({ status: 0, stderr: "" });
  });

  const rejected = [
    ["Add child runs", "must read `type(scope): verb what`"],
    ["feat(Core): add child runs", "must read `type(scope): verb what`"],
    ["Merge the lists", "must read `type(scope): verb what`"],
    ["Revert the lists", "must read `type(scope): verb what`"],
    ["wip: add child runs", 'the type "wip" must be one of'],
    ["feat: what a part did not do, the whole did not do", '"what" must be a verb'],
    ["feat: added child runs", '"added" must be a verb'],
    ["feat: adds child runs", '"adds" must be a verb'],
    ["feat: adding child runs", '"adding" must be a verb'],
    ["feat: add child runs.", "must not end with a punctuation mark"],
    [`feat: add ${"x".repeat(60)}`, "it has 70 characters, and the limit is 65"],
  ] as const;
  it("rejects other titles, each for one reason", () => {
    expect(problemsOf(rejected.map(([title]) => title))).toEqual(
      rejected.map(([, problem]) => [expect.stringContaining(problem)]),
    );
  });

  it("prints what is wrong with a message", () => {
    const { status, stderr } = checkMessage("feat: added child runs");
    expect(status).toBe(1);
    expect(stderr).toContain('"added" must be a verb');
  });

  it("names the bad title among the commits since a revision", () => {
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
        cwd: folder,
        encoding: "utf8",
      }).trim();
    const commit = (title: string) => git("commit", "--allow-empty", "--no-verify", "-qm", title);
    git("init", "-q");
    commit("an old title that is not checked");
    const start = git("rev-parse", "HEAD");
    commit("feat: add a list");
    expect(check(start)).toEqual({ status: 0, stderr: "" });
    commit("the list has pages");
    const { status, stderr } = check(start);
    expect(status).toBe(1);
    expect(stderr).toContain("the list has pages");
    expect(stderr).not.toContain("add a list");
  });

  it("names a revision that git does not know, without a stack trace", () => {
    expect(check("no-such-revision")).toEqual({
      status: 2,
      stderr: 'Git does not know the revision "no-such-revision". Fetch it, or name another one.\n',
    });
  });

  it("explains its use when it is called without arguments", () => {
    expect(check()).toMatchObject({ status: 2, stderr: expect.stringContaining("Usage:") });
  });
});
