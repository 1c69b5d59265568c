import { tempFolder } from "@bron/testing";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readConfigWithSettings } from "./config-reading.ts";
import { checkFolderSettings } from "./doctor/check-folder-settings.ts";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import { runCommand } from "./run-command.ts";
import type { Terminal } from "./terminal.ts";

async function setUp(home: string | undefined, ofFolder?: string) {
  const base = await tempFolder();
  const [homeFolder, folder] = [join(base, "home"), join(base, "folder")];
  await mkdir(homeFolder);
  await mkdir(join(folder, ".bron"), { recursive: true });
  const homeFile = join(homeFolder, "settings.json");
  const folderFile = join(folder, ".bron", "settings.json");
  if (home !== undefined) await writeFile(homeFile, home);
  if (ofFolder !== undefined) await writeFile(folderFile, ofFolder);
  const bron = async (
    args: readonly string[],
    { env = {}, ...overrides }: Partial<Terminal> & { env?: Record<string, string> } = {},
  ) => {
    const terminal = createFakeTerminal({ columns: Infinity, ...overrides });
    const code = await runCommand(args, { BRON_HOME: homeFolder, ...env }, terminal, folder);
    return { code, out: terminal.written("out"), err: terminal.written("err") };
  };
  return { bron, homeFolder, homeFile, folder, folderFile };
}

const yes = { canAsk: true, ask: async () => "yes" };

test("SR13 environment wins over the trusted folder, that over the home, that over the default", async () => {
  const { bron, homeFile, folderFile } = await setUp(
    '{\n  "model": "openai/home",\n  "log": { "level": "warn", "format": "json" }\n}',
    '{ "model": "demo", "log": { "level": "error" } }',
  );
  const show = async () => {
    const { out } = await bron(["settings", "show"], { env: { LOG_LEVEL: "debug" } });
    return out.split("\n").map((text) => text.replace(/ +/g, " "));
  };
  expect(await show()).toContain(`model openai/home ${homeFile}:2:3`);
  expect((await bron(["trust"], yes)).code).toBe(0);
  const shown = await show();
  expect(shown).toContain(`model demo ${folderFile}:1:3`);
  expect(shown).toContain("log.level debug LOG_LEVEL");
  expect(shown).toContain(`log.format json ${homeFile}:3:29`);
  expect(shown).toContain("undoSeconds 5 default");
  expect(shown).toContain("caps.dollars (not set) default");
});

test("SR13 the configuration has the values in this order", async () => {
  const { homeFolder, folder } = await setUp('{ "undoSeconds": 9, "log": { "level": "warn" } }');
  const env = { BRON_HOME: homeFolder, LOG_LEVEL: "debug" };
  const { config, problems } = await readConfigWithSettings(env, folder);
  expect(problems).toEqual([]);
  expect(config).toMatchObject({ undoMs: 9_000, logLevel: "debug", logFormat: "pretty" });
});

describe("bron settings", () => {
  test("SR13 get prints a value, for people and as JSON", async () => {
    const { bron, homeFile } = await setUp('{ "undoSeconds": 9 }');
    expect(await bron(["settings", "get", "undoSeconds"])).toMatchObject({ code: 0, out: "9\n" });
    expect(JSON.parse((await bron(["settings", "get", "undoSeconds", "--json"])).out)).toEqual({
      key: "undoSeconds",
      value: 9,
      source: { kind: "home", at: `${homeFile}:1:3` },
    });
    expect(await bron(["settings", "get", "undoSecond"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Did you mean undoSeconds"),
    });
  });

  test("SR13 set changes only the home's file, keeps comments and names what wins", async () => {
    const { bron, homeFile, folderFile } = await setUp(
      '{\n  // mine\n  "model": "demo", // x\n}\n',
      "{}",
    );
    expect(
      await bron(["settings", "set", "log.level", "warn"], { env: { LOG_LEVEL: "debug" } }),
    ).toEqual({
      code: 0,
      out: `Set log.level to warn in ${homeFile}.\n`,
      err: "LOG_LEVEL sets it too and wins here.\n",
    });
    expect(await readFile(homeFile, "utf8")).toBe(
      '{\n  // mine\n  "model": "demo", // x\n  "log": {\n    "level": "warn"\n  },\n}\n',
    );
    expect(await readFile(folderFile, "utf8")).toBe("{}");
    expect((await bron(["settings", "set", "log.level", "loud"])).code).toBe(2);
    expect((await bron(["settings", "set", "model", "sk-hunter2"])).err).not.toContain("hunter2");
    expect(await readFile(homeFile, "utf8")).not.toContain("hunter2");
  });

  test("show and get hide a password in an address of the environment", async () => {
    const { bron } = await setUp(undefined);
    const env = { OPENAI_BASE_URL: "https://me:hunter2@example.com" };
    for (const args of [["show"], ["show", "--json"], ["get", "openai.baseUrl"]])
      expect((await bron(["settings", ...args], { env })).out).not.toContain("hunter2");
  });

  test("SR13 set does not touch a file with a problem", async () => {
    const { bron, homeFile } = await setUp('{ "modle": "demo" }');
    expect((await bron(["settings", "set", "model", "demo"])).code).toBe(2);
    expect(await readFile(homeFile, "utf8")).toBe('{ "modle": "demo" }');
  });

  test("SR13 check names every problem, and other commands report the same", async () => {
    const { bron, homeFile } = await setUp('{\n  "modle": "demo",\n  "geminiApiKey": "hunter2"\n}');
    const checked = await bron(["settings", "check"]);
    expect(checked.code).toBe(2);
    expect(checked.out).toBe(
      `${homeFile}:2:3: modle is not a setting. The nearest name is model.\n${homeFile}:3:3: geminiApiKey is a secret and does not belong in a settings file. Set GEMINI_API_KEY in the environment instead.\n`,
    );
    expect(await bron(["runs", "list"])).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${homeFile}:2:3: modle`),
    });
    const { ok, problems } = JSON.parse((await bron(["settings", "check", "--json"])).out) as {
      ok: boolean;
      problems: unknown[];
    };
    expect({ ok, count: problems.length }).toEqual({ ok: false, count: 2 });
  });

  test("SR13 check names the problems of a trusted folder too", async () => {
    const { bron, folderFile } = await setUp("{}", '{\n  "caps": { "minutes": "x" }\n}');
    const untrusted = await bron(["settings", "check"]);
    expect(untrusted).toMatchObject({ code: 0, err: expect.stringContaining("is not trusted") });
    await bron(["trust"], yes);
    const checked = await bron(["settings", "check"]);
    expect(checked).toMatchObject({
      code: 2,
      out: expect.stringContaining(`${folderFile}:2:24: caps.minutes`),
    });
    expect((await bron(["runs", "list"])).err).toContain(`${folderFile}:2:24: caps.minutes`);
  });

  test("SR13 check applies the rules for folders to a file in .bron", async () => {
    const { bron } = await setUp(undefined, '{ "undoSeconds": 0 }');
    expect(await bron(["settings", "check", ".bron/settings.json"])).toMatchObject({
      code: 2,
      out: expect.stringContaining("may only be set in BRON_HOME"),
    });
    expect((await bron(["settings", "check", "absent.json"])).code).toBe(1);
  });

  test("a setting that needs another one is reported with its position", async () => {
    const { bron, homeFile } = await setUp('{ "server": { "host": "0.0.0.0" } }');
    expect((await bron(["settings", "show"])).err).toContain(
      `${homeFile}:1:15: server.host (HOST)`,
    );
  });
});

describe("bron trust", () => {
  test("SR13 shows each file with its digest and what it could do, and trusts after yes only", async () => {
    const { bron, folderFile, homeFolder } = await setUp(undefined, '{ "model": "demo" }');
    const asked: string[] = [];
    const ask = async (question: string) => {
      asked.push(question);
      return "y";
    };
    const { code, err } = await bron(["trust"], { canAsk: true, ask });
    expect(code).toBe(1);
    expect(asked).toEqual(["Trust 1 file? Type yes to accept: "]);
    expect(err).toMatch(
      /\.bron\/settings\.json {2}\(added\)\n +sha256:[0-9a-f]{64}\n +This file changes settings/,
    );
    expect(existsSync(join(homeFolder, "trust"))).toBe(false);
    expect((await bron(["settings", "show"])).err).toBe(
      `Ignoring ${folderFile}: it is not trusted. Review it with: bron trust\n`,
    );
    expect((await bron(["trust"], yes)).out).toMatch(/^Trusted 1 file in /);
    expect((await bron(["trust"])).out).toBe("Already trusted.\n");
    expect((await bron(["settings", "get", "model"])).out).toBe("demo\n");
  });

  test.each([[["trust"]], [["trust", "--json"]]])(
    "SR13 never asks and never trusts without a terminal: %j",
    async (args) => {
      const { bron, homeFolder } = await setUp(undefined, "{}");
      const ask = () => expect.unreachable("It asked.");
      expect(await bron(args, { canAsk: false, ask })).toMatchObject({ code: 2 });
      expect(existsSync(join(homeFolder, "trust"))).toBe(false);
    },
  );

  test("SR13 has no option that skips the question", async () => {
    const { bron, homeFolder } = await setUp(undefined, "{}");
    expect((await bron(["trust", "--yes"], yes)).code).toBe(2);
    expect(existsSync(join(homeFolder, "trust"))).toBe(false);
  });

  test("SR13 does not trust a file that is swapped while the owner reads", async () => {
    const { bron, folderFile } = await setUp(undefined, '{ "model": "demo" }');
    const ask = async () => {
      await writeFile(folderFile, '{ "model": "openai/evil" }');
      return "yes";
    };
    const { code, err } = await bron(["trust"], { canAsk: true, ask });
    expect(code).toBe(1);
    expect(err).toContain(".bron/settings.json was changed in the meantime and is not trusted.");
    expect((await bron(["settings", "get", "model"])).out).toBe("\n");
  });

  test("SR13 list names what changed, and revoke ends the trust", async () => {
    const { bron, folder, folderFile } = await setUp(undefined, "{}");
    await bron(["trust"], yes);
    await writeFile(folderFile, '{ "model": "openai/evil" }');
    await writeFile(join(folder, "AGENTS.md\u001b[2J"), "");
    await writeFile(join(folder, ".bron", "new\u001b[2J"), "");
    const { out } = await bron(["trust", "list"]);
    expect(out).toContain("  .bron/settings.json was changed and is not trusted\n");
    expect(out).toContain("  .bron/new\\u{1b}[2J was added and is not trusted\n");
    expect(JSON.parse((await bron(["trust", "list", "--json"])).out)).toMatchObject([
      { trusted: [], untrusted: [{ change: "added" }, { change: "changed" }] },
    ]);
    expect((await bron(["trust", "revoke"])).code).toBe(0);
    expect((await bron(["trust", "list"])).out).toContain("No folder is trusted");
    expect((await bron(["trust", "revoke"])).code).toBe(1);
  });
});

test("two settings that are set at the same time are both kept", async () => {
  const { bron, homeFile } = await setUp(undefined);
  const changes = [
    ["model", "demo"],
    ["undoSeconds", "9"],
    ["log.level", "warn"],
    ["log.format", "json"],
  ];
  const codes = await Promise.all(
    changes.map(async (change) => (await bron(["settings", "set", ...change])).code),
  );
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(JSON.parse(await readFile(homeFile, "utf8"))).toEqual({
    model: "demo",
    undoSeconds: 9,
    log: { level: "warn", format: "json" },
  });
});

test("SR13 the doctor mentions a folder's settings file that is not trusted", async () => {
  const { bron, homeFolder, folder, folderFile } = await setUp(undefined, '{ "model": "demo" }');
  const check = async () => {
    const { settings } = await readConfigWithSettings({ BRON_HOME: homeFolder }, folder);
    return checkFolderSettings(settings.ignored);
  };
  expect(await check()).toEqual([
    {
      name: "Folder",
      level: "warn",
      text: `${folderFile} is ignored: it is not trusted`,
      next: "Review it with: bron trust",
    },
  ]);
  await bron(["trust"], yes);
  expect(await check()).toEqual([]);
});
