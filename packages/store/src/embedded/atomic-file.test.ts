import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readIfExists, removeIfStill, writeOnce } from "./atomic-file.ts";
import { makeFolder } from "./test-home.fixture.ts";

test("lets exactly one of several writers create the file", async () => {
  const folder = await makeFolder();
  const path = join(folder, "file");
  const wrote = await Promise.all(["a", "b", "c", "d"].map((content) => writeOnce(path, content)));
  expect(wrote.filter(Boolean)).toHaveLength(1);
  expect(await readFile(path, "utf8")).toBe(["a", "b", "c", "d"][wrote.indexOf(true)]);
  expect(await readdir(folder)).toEqual(["file"]);
});

test("removes a file only if its content is unchanged", async () => {
  const folder = await makeFolder();
  const path = join(folder, "file");
  await writeFile(path, "new");
  await removeIfStill(path, "old");
  expect(await readIfExists(path)).toBe("new");
  await removeIfStill(path, "new");
  expect(await readIfExists(path)).toBeUndefined();
  await removeIfStill(path, "new");
  expect(await readdir(folder)).toEqual([]);
});
