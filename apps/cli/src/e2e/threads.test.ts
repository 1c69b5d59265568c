import { makeTempFolder } from "@bron/testing";
import type { BronView, RunView, ThreadView } from "@bron/protocol";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { copyTemplateHome } from "../../../../test/support/template-home.ts";
import { runBronInProcess, spawnBron, stopAll, type RunningBron } from "./spawn-bron.fixture.ts";

const timeout = 60_000;
let folder: string;
let home: string;
let server: RunningBron;

/** With a server, a command neither opens the database nor starts a process. */
beforeAll(async () => {
  folder = await makeTempFolder();
  home = join(folder, "home");
  await copyTemplateHome(inject("templateHome"), home);
  server = spawnBron(["start"], { BRON_HOME: home });
  await server.waitFor(/^Bron is ready/m);
}, timeout);
afterAll(async () => {
  await stopAll([server]);
  await rm(folder, { recursive: true, force: true });
}, timeout);

const bron = async (...args: string[]) => await runBronInProcess(args, { BRON_HOME: home });
const jsonOf = async <T>(...args: string[]): Promise<T> => {
  const { out, code, err } = await bron(...args, "--json");
  expect({ code, err }).toMatchObject({ code: 0 });
  return JSON.parse(out) as T;
};

test(
  "RT12 a conversation is listed, shown, renamed, exported and deleted",
  { timeout },
  async () => {
    expect((await bron("threads", "list")).out).toMatch(/^No conversations yet/);
    await bron("run", "What is 17% of 2340?");
    const [created] = (await jsonOf<{ threads: ThreadView[] }>("threads", "list")).threads;
    const id = created?.id ?? "";
    expect(created).toMatchObject({ title: "What is 17% of 2340?", runCount: 1 });
    await bron("run", "--thread", id, "What is 2 + 2?");
    const short = id.slice(0, 8);
    const { runs } = await jsonOf<{ runs: RunView[] }>("threads", "show", short);
    expect(runs.map(({ prompt }) => prompt)).toEqual(["What is 17% of 2340?", "What is 2 + 2?"]);
    expect(await bron("threads", "rename", short, " Sums ")).toMatchObject({
      code: 0,
      out: 'Renamed to "Sums".\n',
    });
    expect((await bron("threads", "show", short)).out).toMatch(/^Sums\n[^]*What is 2 \+ 2\?/);
    const listed = async (...args: string[]) => (await bron("threads", "list", ...args)).out;
    expect(await listed("--query", "SUM")).toContain("Sums (latest: What is 2 + 2?)");
    expect(await listed("--query", "397")).toContain("Sums");
    expect(await listed("--query", "lisbon")).toBe("No conversations found.\n");
    expect(await listed("--state", "done")).toContain("Sums");
    expect((await bron("threads", "pin", short)).out).toBe('Pinned "Sums".\n');
    expect(await listed()).toContain("* Sums");
    expect((await bron("threads", "unpin", short)).out).toBe('Unpinned "Sums".\n');
    expect((await bron("threads", "archive", short)).out).toBe('Archived "Sums".\n');
    expect(await listed("--state", "done")).toBe("No conversations found.\n");
    expect(await listed("--archived")).toContain("Sums");
    const back = await bron("threads", "unarchive", short);
    expect(back.out).toBe('Took out of the archive: "Sums".\n');
    const path = join(folder, "sums.zip");
    expect(await bron("threads", "export", short, "--output", path)).toMatchObject({ code: 0 });
    expect(await readdir(folder)).toEqual(["home", "sums.zip"]);
    // The names of the entries are not compressed.
    const names = (await readFile(path, "latin1")).match(/runs\/[\w -]+\/run\.json/g);
    expect(new Set(names).size).toBe(2);
    const missing = join(folder, "missing", "x.zip");
    expect(await bron("threads", "export", short, "--output", missing)).toMatchObject({ code: 2 });
    expect(await bron("threads", "delete", short)).toMatchObject({
      code: 2,
      err: expect.stringContaining("--yes"),
    });
    expect(await bron("threads", "delete", short, "--yes")).toMatchObject({
      code: 0,
      out: 'Deleted "Sums".\n',
    });
    expect(await bron("threads", "show", short)).toMatchObject({
      code: 1,
      err: expect.stringContaining("bron threads list"),
    });
    expect(await jsonOf("runs", "list")).toEqual({ runs: [] });
  },
);

test("a Bron's tools are chosen by name, and a wrong name is corrected", { timeout }, async () => {
  const wrong = await bron("brons", "set", "assistant", "--tools", "clock,calculatr");
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining("calculator") });
  const { bron: changed } = await jsonOf<{ bron: BronView }>(
    "brons",
    "set",
    "Assistant",
    "--tools",
    "clock, calculator",
  );
  expect(changed.tools).toEqual(["calculator", "clock"]);
  expect((await bron("brons", "list")).out).toMatch(/ 2 +default +Assistant \(default\)/);
  expect((await bron("brons", "set", "Assistant", "--all-tools")).out).toMatch(
    /Tools: +all \d+, including new ones/,
  );
});

test(
  "a Bron is made from a template, copied, archived and moved as a file",
  { timeout },
  async () => {
    expect((await bron("brons", "create", "--template", "pirate")).err).toContain("inbox-helper");
    expect((await bron("brons", "create", "Rex", "--template", "researcher")).out).toMatch(
      /^Rex\n/,
    );
    expect((await bron("brons", "duplicate", "rex")).out).toMatch(/^Rex copy\n/);
    expect((await bron("brons", "archive", "Rex copy")).out).toBe(
      'Archived "Rex copy". Its tasks stay. Restore it with: bron brons restore "Rex copy"\n',
    );
    expect((await bron("brons", "list")).out).not.toContain("Rex copy");
    expect((await bron("brons", "list", "--archived")).out).toContain("Rex copy");
    expect(await bron("brons", "archive", "Assistant")).toMatchObject({
      code: 1,
      err: expect.stringContaining("default Bron can't be archived"),
    });
    expect((await bron("brons", "restore", "Rex copy")).out).toBe('Restored "Rex copy".\n');
    const path = join(folder, "rex.json");
    expect((await bron("brons", "export", "Rex", "-o", path)).out).toBe(
      `Exported "Rex" to ${path}.\n`,
    );
    const imported = await bron("brons", "import", path);
    expect(imported.out).toMatch(/^Rex\n/);
    expect(imported.out).toContain(
      "Instructions from a file, which don't count as your words:\n  ",
    );
    const id = /ID: +(\S+)/.exec(imported.out)?.[1] ?? "";
    expect((await bron("brons", "set", id, "--own-instructions")).out).not.toContain("from a file");
    expect((await bron("brons", "show", id, "--json")).out).toContain('"personaSource":"typed"');
    await writeFile(path, "[]");
    expect(await bron("brons", "import", path)).toMatchObject({
      code: 2,
      err: expect.stringContaining("not an exported Bron"),
    });
    expect(await bron("brons", "import", join(folder, "none.json"))).toMatchObject({ code: 2 });
  },
);
