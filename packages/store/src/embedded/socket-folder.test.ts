import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { chooseAccount } from "./account.ts";
import { prepareSocketFolder } from "./socket-folder.ts";
import { daemonUid, isRoot, makeFolder } from "./test-home.fixture.ts";

const account = await chooseAccount("/nowhere");

async function makeLongFolder(): Promise<string> {
  const folder = join(await makeFolder(), "x".repeat(100));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Also registers the folder in /tmp for removal. */
async function prepare(folder: string): Promise<string> {
  const path = await prepareSocketFolder(folder, account);
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("keeps the socket in the home up to the maximum path length", async () => {
  const base = await makeFolder();
  const limit = process.platform === "darwin" ? 103 : 107;
  const room = limit - `${base}//socket/.s.PGSQL.5432`.length;
  for (const [name, isNear] of [
    ["x".repeat(room), true],
    ["x".repeat(room + 1), false],
    [`${"x".repeat(room - 1)}ü`, false],
  ] as const) {
    await mkdir(join(base, name));
    const path = await prepare(join(base, name));
    expect(path === join(base, name, "socket")).toBe(isNear);
    expect(await lstat(path)).toMatchObject({ uid: account.uid });
    expect((await lstat(path)).mode & 0o777).toBe(0o700);
  }
});

test("uses one folder in /tmp for concurrent callers, and leaves no other", async () => {
  const folder = await makeLongFolder();
  const paths = await Promise.all(Array.from({ length: 8 }, () => prepare(folder)));
  expect(new Set(paths).size).toBe(1);
  expect(paths[0]).toMatch(/^\/tmp\/bron-\w{6}$/);
  expect(await readdir(folder)).toEqual(["socket-folder"]);
});

test("recreates a missing folder with the same name", async () => {
  const folder = await makeLongFolder();
  const path = await prepare(folder);
  await rm(path, { recursive: true });
  expect(await prepare(folder)).toBe(path);
  expect(await lstat(path)).toMatchObject({ uid: account.uid });
});

test("does not trust a link, an open folder, a damaged record or the record of another home", async () => {
  const folder = await makeLongFolder();
  const record = join(folder, "socket-folder");
  const spoilers: ((path: string) => Promise<void>)[] = [
    async (path) => {
      await rm(path, { recursive: true });
      await symlink(folder, path);
    },
    (path) => chmod(path, 0o755),
    () => writeFile(record, "nonsense"),
    async () =>
      writeFile(record, (await readFile(record, "utf8")).replace(folder, `${folder}-copy`)),
    () => writeFile(record, JSON.stringify({ path: folder, for: folder })),
  ];
  let path = await prepare(folder);
  for (const spoil of spoilers) {
    await spoil(path);
    const next = await prepare(folder);
    expect(next).not.toBe(path);
    expect(next).not.toBe(folder);
    expect((await lstat(next)).isDirectory()).toBe(true);
    path = next;
  }
});

test.skipIf(!isRoot)("does not trust a folder of another user (needs root)", async () => {
  const folder = await makeLongFolder();
  const path = await prepare(folder);
  await chown(path, daemonUid, daemonUid);
  expect(await prepare(folder)).not.toBe(path);
});
