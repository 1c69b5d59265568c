import { cp, mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { tempFolder } from "@bron/testing";
import { describe, expect, it } from "vitest";

const built = "apps/cli/dist/main.js";
const source = "apps/cli/src/main.ts";

/** Which main file the command chooses in a repository whose files were changed at these times. */
async function chosenFile(changes: Readonly<Record<string, number>>): Promise<string> {
  const root = await tempFolder();
  const files = { [source]: 1, "apps/server/src/a.ts": 1, "package-lock.json": 1, ...changes };
  for (const [file, time] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
    await utimes(join(root, file), time, time);
  }
  const program = join(root, "apps/cli/bin/program-file.mjs");
  await cp(new URL("../bin/program-file.mjs", import.meta.url), program);
  const { programFile } = (await import(pathToFileURL(program).href)) as {
    programFile(): string;
  };
  return programFile().slice(root.length + 1);
}

describe("the main file of the command", () => {
  const library = "packages/core/src/deep/a.ts";
  it.each([
    ["there is no build", { [library]: 1 }, source],
    ["the build is newer than all sources", { [library]: 1, [built]: 2 }, built],
    ["a source changed since", { [library]: 3, [built]: 2 }, source],
    ["the libraries changed since", { [library]: 1, [built]: 2, "package-lock.json": 3 }, source],
    ["only a test changed", { [library]: 1, [built]: 2, "packages/a/src/a.test.ts": 3 }, built],
  ])("when %s", async (_when, changes, expected) => {
    expect(await chosenFile(changes)).toBe(expected);
  });
});
