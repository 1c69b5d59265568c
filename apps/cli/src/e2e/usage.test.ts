import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { compileCache } from "../../../../test/support/compile-cache.ts";
import { tempFolder } from "@bron/testing";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { reportError } from "../run-command.ts";
import { runBron, runBronInProcess, type Variables } from "./spawn-bron.fixture.ts";

const timeout = 20_000;
const secret = "k".repeat(32);

describe("a usage error exits with 2 and says what to do", () => {
  test.each([
    [["rum"], /unknown command 'rum' \(Did you mean run\?\)\nhint: See bron help/],
    [["run"], /No text was given. Pass it in quotes/],
    [["runs", "show", "3f9a1c20", "more"], /hint: See bron runs help show/],
    [["run", "x", "--max-dollars", "lots"], /an amount in US dollars/],
    [["run", "x", "--nope"], /unknown option '--nope'/],
    [
      ["runs", "list", "--status", "odd"],
      /invalid\. Try done, failed, running or needs_approval, or see --help\.\n/,
    ],
    [["runs", "list", "--limit", "0"], /from 1 to 1000/],
    [["runs", "list", "--limit", "1001"], /from 1 to 1000/],
  ])("bron %j", { timeout }, async (args, message) => {
    const { code, out, err } = await runBronInProcess(args, {});
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).toContain("code: invalid_input");
  });
});

describe("an invalid setting exits with 2 and names the variable", () => {
  test.each([
    [{ PORT: "http" }, /error: PORT must be a port/],
    [{ HOST: "0.0.0.0" }, /error: HOST must be a loopback address/],
    [{ DATABASE_URL: "nonsense" }, /error: DATABASE_URL must be/],
    [{ DATABASE_URL: "postgres://u:p@127.0.0.1:1/x" }, /BRON_SECRET_KEY is not set/],
    [{ BRON_MODEL: "nobody/x" }, /BRON_MODEL is "nobody\/x"/],
    [{ BRON_MODEL: "anthropic/claude-sonnet-5" }, /ANTHROPIC_API_KEY is not set/],
  ])("%j", { timeout }, async (variables, message) => {
    const { code, err } = await runBronInProcess(["run", "hello"], variables);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});

describe("an error", () => {
  test("that no command caught shows a reference", { timeout }, async () => {
    const throwWhileRunning = `process.on("newListener", (name) => {
      if (name === "uncaughtException") setImmediate(() => { throw new Error("planted"); });
    });`;
    const { err } = await runBron(["runs", "list"], {
      BRON_HOME: "/nonexistent/home",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwWhileRunning)}`,
    });
    expect(err).toContain("error: Something went wrong inside Bron (reference ");
    expect(err).not.toContain("planted");
  });

  const show = async (error: Error, env: Variables) => {
    const terminal = createFakeTerminal();
    await reportError(error, [], { BRON_HOME: "/nonexistent/home", ...env }, terminal);
    return terminal.written("err");
  };
  const unexpected = new Error("planted");
  const dev = { NODE_ENV: "development" };

  test("shows a reference if it is unexpected", async () => {
    const shown = await show(unexpected, { BRON_HOME: join(await tempFolder(), "missing") });
    expect(shown).toContain("error: Something went wrong inside Bron (reference ");
    expect(shown).toContain("errors.log could not be written");
    expect(shown).not.toContain("planted");
  });

  test("is saved under its reference if it is unexpected", async () => {
    const home = await tempFolder();
    const shown = await show(unexpected, { BRON_HOME: home });
    const [, reference = "?"] = /\(reference (\w+)\)/.exec(shown) ?? [];
    expect(shown).toContain("include the entry with this reference in BRON_HOME/errors.log");
    const saved = await readFile(join(home, "errors.log"), "utf8");
    expect(saved).toContain(reference);
    expect(saved).toContain("planted");
  });

  test("shows its stack too if it is unexpected, in npm run dev", async () => {
    expect(await show(unexpected, dev)).toMatch(/Error: planted\n +at /);
  });

  test("shows no stack if the owner can repair it, in npm run dev", async () => {
    const { err } = await runBronInProcess(["run", "x"], { PORT: "http", ...dev });
    expect(err).toContain("error: PORT must be a port");
    expect(err).not.toContain("    at ");
  });
});

test("help, version and a bare bron exit with 0", { timeout }, async () => {
  expect(await runBronInProcess(["--version"], {})).toMatchObject({ code: 0, out: "0.2.0\n" });
  expect(await runBronInProcess([], {})).toMatchObject({
    code: 0,
    out: expect.stringContaining("Get started:"),
  });
  expect(await runBronInProcess(["approvals", "approve", "--help"], {})).toMatchObject({
    code: 0,
    out: expect.stringContaining("Example:"),
  });
});

/** Runs a command in a terminal. Part of util-linux. */
const terminalProgram = "script";

describe.runIf(spawnSync(terminalProgram, ["--version"]).status === 0)("on a terminal", () => {
  const main = fileURLToPath(new URL("../../bin/bron.mjs", import.meta.url));
  const onTerminal = (variables: Record<string, string>) =>
    execFileSync(terminalProgram, ["-qec", `'${process.execPath}' '${main}' doctor`, "/dev/null"], {
      env: {
        PATH: process.env["PATH"],
        HOME: "/nonexistent",
        PORT: "0",
        TERM: "xterm",
        ...compileCache,
        ...variables,
      },
      encoding: "utf8",
    });

  test("uses colors, except with NO_COLOR or a dumb terminal", { timeout }, () => {
    expect(onTerminal({})).toContain("\u001B[");
    expect(onTerminal({ NO_COLOR: "" })).toContain("\u001B[");
    for (const variables of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      expect(onTerminal(variables)).not.toContain("\u001B");
  });
});

test("an error is JSON on standard output with --json", { timeout }, async () => {
  const { code, out, err } = await runBronInProcess(["runs", "list", "--json"], { PORT: "x" });
  expect({ code, err }).toEqual({ code: 2, err: "" });
  expect(JSON.parse(out)).toEqual({
    error: {
      code: "config_invalid",
      message: expect.stringContaining("PORT"),
      hint: expect.any(String),
    },
  });
});

test("rejects a task of 10 MB before anything is started", { timeout }, async () => {
  const { code, err } = await runBron(
    ["run", "-"],
    { BRON_HOME: "/nonexistent/home" },
    "x".repeat(10_000_000),
  );
  expect(code).toBe(2);
  expect(err).toContain("code: too_large");
});

test("rejects a home that is a file", { timeout }, async () => {
  const home = join(await tempFolder(), "file");
  await writeFile(home, "");
  for (const args of [["run", "hello"], ["start"]]) {
    const { code, err } = await runBronInProcess(args, { BRON_HOME: home });
    expect(code).toBe(2);
    expect(err).toMatch(/is a file, not a folder[\s\S]+code: home_unusable/);
  }
});

test("names an unreachable database without its password", { timeout }, async () => {
  const { code, err } = await runBronInProcess(["run", "hello"], {
    DATABASE_URL: "postgres://u:hunter2@127.0.0.1:1/x",
    BRON_SECRET_KEY: secret,
  });
  expect(code).toBe(1);
  expect(err).toMatch(
    /Postgres at 127\.0\.0\.1:1\/x is not responding[\s\S]+code: database_unreachable/,
  );
  expect(err).not.toContain("hunter2");
});

test("explains why a worker needs a shared database", { timeout }, async () => {
  const { code, err } = await runBronInProcess(["worker"], {});
  expect(code).toBe(2);
  expect(err).toMatch(/DATABASE_URL is required for bron worker[\s\S]+bron start/);
});

test("the doctor reports every problem with a hint, and changes nothing", { timeout }, async () => {
  const folder = await tempFolder();
  const home = join(folder, "home");
  const { code, out } = await runBronInProcess(["doctor", "--json"], {
    BRON_HOME: home,
    LOG_LEVEL: "loud",
    BRON_MODEL: "nobody/x",
  });
  expect(code).toBe(1);
  const { checks } = JSON.parse(out) as {
    checks: { name: string; level: string; next?: string }[];
  };
  expect(checks.filter(({ level }) => level === "problem")).toEqual([
    {
      name: "Variables",
      level: "problem",
      text: expect.stringContaining("LOG_LEVEL"),
      next: expect.any(String),
    },
    {
      name: "Model",
      level: "problem",
      text: expect.stringContaining("BRON_MODEL"),
      next: expect.any(String),
    },
  ]);
  const well = await runBronInProcess(["doctor"], { BRON_HOME: home });
  expect(well.code).toBe(0);
  expect(well.out).toMatch(/^ok +Home +.*created on first start/m);
});
