import { execFile, execFileSync, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "@bron/testing";
import { runBronInProcess } from "./spawn-bron.fixture.ts";

const timeout = 20_000;
const isInstalled = (shell: string) => spawnSync(shell, ["--version"]).status === 0;

describe("bron completion bash", () => {
  let script: string;
  beforeAll(async () => {
    const notEvenRead = { PORT: "no port", BRON_HOME: "/no/home" };
    script = (await runBronInProcess(["completion", "bash"], notEvenRead)).out;
  }, timeout);

  /** The completions of the last word of a line, from the function that the script registers. */
  async function complete(line: string): Promise<string[]> {
    const words = line.split(" ").map((word) => `'${word}'`);
    const ask = `${script}
function_name=$(complete -p bron | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}
"$function_name" bron; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await promisify(execFile)("bash", [
      "--norc",
      "--noprofile",
      "-uc",
      ask,
    ]);
    expect(stderr).toBe("");
    return stdout.split("\n").filter((word) => word !== "");
  }

  test.runIf(isInstalled("bash"))("asks Bron for the names of models", async () => {
    const fake = 'bron() { [ "$*" = "models list --names" ] && printf "one/a\\ntwo/b\\n"; }';
    const before = script;
    script = `${fake}\n${script}`;
    expect(await complete("bron brons set Assistant --model t")).toEqual(["two/b"]);
    expect(await complete("bron run --model ")).toEqual(["one/a", "two/b"]);
    script = before;
  });

  test("leaves the value of --file to the completion of files", () => {
    expect(script).toMatch(/\/run:--file\) compopt -o default 2>\/dev\/null; return ;;/);
  });

  test.runIf(isInstalled("bash")).each([
    ["bron ru", ["run", "runs"]],
    [
      "bron approvals ",
      ["list", "show", "approve", "deny", "edit", "reply", "undo", "snooze", "batch", "help"],
    ],
    ["bron runs list --st", ["--status"]],
    [
      "bron runs list --status ",
      [
        "queued",
        "running",
        "needs_approval",
        "needs_answer",
        "waits_for_program",
        "needs_auth",
        "partly_done",
        "could_not",
        "denied",
        "failed",
        "canceled",
        "done",
      ],
    ],
    ["bron runs list --status need", ["needs_approval", "needs_answer", "needs_auth"]],
    ["bron runs list --limit ", []],
    ["bron artifacts ", ["list", "save", "help"]],
    ["bron logs --fo", ["--follow"]],
    ["bron run --br", ["--bron"]],
    ["bron run --title list --m", ["--max-dollars", "--model"]],
    ["bron runs show ", []],
    ["bron completion ", ["bash", "zsh", "fish"]],
    ["bron help app", ["approvals"]],
    ["bron --v", ["--version"]],
    [
      "bron nothing ",
      [
        "start",
        "worker",
        "open",
        "run",
        "chat",
        "logs",
        "runs",
        "artifacts",
        "threads",
        "brons",
        "memory",
        "skills",
        "models",
        "approvals",
        "questions",
        "stop",
        "effects",
        "audit",
        "tokens",
        "permissions",
        "mcp",
        "schedule",
        "budget",
        "settings",
        "trust",
        "demo",
        "connect",
        "sandbox",
        "backup",
        "restore",
        "doctor",
        "completion",
        "help",
      ],
    ],
  ])("%s offers %j", { timeout }, async (line, offered) => {
    expect(await complete(line)).toEqual(offered);
  });
});

test(
  "with --json the script is a field, and an unknown shell is rejected",
  { timeout },
  async () => {
    expect(JSON.parse((await runBronInProcess(["completion", "zsh", "--json"], {})).out)).toEqual({
      shell: "zsh",
      script: expect.stringMatching(/^#compdef bron\n/),
    });
    expect(await runBronInProcess(["completion", "tcsh"], {})).toMatchObject({
      code: 2,
      err: expect.stringContaining("bash, zsh, fish"),
    });
    expect((await runBronInProcess(["completion", "--help"], {})).out).toMatch(
      /bash-completion\/completions\/bron[\s\S]+_bron[\s\S]+fish\/completions\/bron\.fish/,
    );
  },
);

describe.each(["zsh", "fish"])("bron completion %s", (shell) => {
  test.runIf(isInstalled(shell))("is a script that the shell can read", { timeout }, async () => {
    const path = join(await tempFolder(), "script");
    await writeFile(path, (await runBronInProcess(["completion", shell], {})).out);
    execFileSync(shell, ["-n", path]);
  });

  test("contains every command, option and choice, with balanced quotes", { timeout }, async () => {
    const { out } = await runBronInProcess(["completion", shell], {});
    for (const word of ["approvals", "approve", "status", "needs_approval", "max-dollars"])
      expect(out).toContain(word);
    expect(out).toContain(
      shell === "zsh" ? String.raw`the run'\''s log` : String.raw`the run\'s log`,
    );
    // Unescaped quotes must come in pairs.
    expect(
      out
        .replaceAll(String.raw`'\''`, "")
        .replaceAll(String.raw`\'`, "")
        .match(/'/g)?.length ?? 1,
    ).toSatisfy((count: number) => count % 2 === 0);
  });
});
