import { chmod, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "@bron/testing";
import { runBron } from "./spawn-bron.fixture.ts";

/** Disables the cache that the other tests of this folder share. */
const ownCache = { NODE_COMPILE_CACHE: "" };
const entriesOf = async (home: string) =>
  (await readdir(join(home, "compile-cache"), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
const version = (home: string) => runBron(["--version"], { BRON_HOME: home, ...ownCache });

test(
  "a command caches compiled code privately in its home, and ignores damaged entries",
  { timeout: 60_000 },
  async () => {
    const home = await tempFolder();
    const first = await version(home);
    expect(first).toMatchObject({ code: 0, err: "" });
    const entries = await entriesOf(home);
    expect(entries.length).toBeGreaterThan(5);
    expect((await stat(join(home, "compile-cache"))).mode & 0o777).toBe(0o700);
    for (const entry of entries) await writeFile(entry, "no code at all");
    expect(await version(home)).toEqual(first);
  },
);

test(
  "a command works without a cache, and does not create a home for it",
  { timeout: 60_000 },
  async () => {
    const folder = await tempFolder();
    const missing = join(folder, "missing");
    expect(await version(missing)).toMatchObject({ code: 0, err: "" });
    expect(await readdir(folder)).toEqual([]);
    const blocked = join(folder, "blocked");
    await mkdir(blocked);
    await writeFile(join(blocked, "compile-cache"), "a file");
    expect(await version(blocked)).toMatchObject({ code: 0, err: "" });
  },
);

test(
  "a command runs no code from a folder that other users can write to",
  { timeout: 60_000 },
  async () => {
    const home = await tempFolder();
    await mkdir(join(home, "compile-cache"));
    await chmod(join(home, "compile-cache"), 0o777);
    expect(await version(home)).toMatchObject({ code: 0 });
    expect(await entriesOf(home)).toEqual([]);
  },
);
