import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { tempFolder } from "@bron/testing";
import { expect, it } from "vitest";
import { parserFiles } from "./parser-command.ts";

async function writeAt(path: string, second: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "");
  for (const changed of [path, dirname(path)]) await utimes(changed, second, second);
}

it("the built parser runs until a source is newer", async () => {
  const folder = await tempFolder();
  const sources = { folder: join(folder, "src", "parser"), extension: ".ts" };
  const built = { folder: join(folder, "dist", "parser"), extension: ".js" };

  await writeAt(join(sources.folder, "html", "read-html.ts"), 1_000);
  await writeAt(join(sources.folder, "child.ts"), 1_000);
  expect(parserFiles(folder)).toEqual(sources);
  await writeAt(join(built.folder, "child.js"), 2_000);
  expect(parserFiles(folder)).toEqual(built);
  await writeAt(join(sources.folder, "html", "read-html.ts"), 3_000);
  expect(parserFiles(folder)).toEqual(sources);
});
