import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempFolder } from "@bron/testing";
import { runBron } from "./spawn-bron.fixture.ts";

const timeout = 60_000;
let folder: string;
beforeAll(async () => {
  folder = await makeTempFolder();
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

describe("bron backup and bron restore", () => {
  test(
    "move a home with notes, runs and a pending approval into a new one, which continues",
    async () => {
      const [home, other, file] = [
        join(folder, "home"),
        join(folder, "other"),
        join(folder, "backup.gz"),
      ];
      const here = async (...args: string[]) => await runBron(args, { BRON_HOME: home });
      const there = async (...args: string[]) => await runBron(args, { BRON_HOME: other });
      expect(await here("run", "Write a note titled Shopping: milk, eggs")).toMatchObject({
        code: 0,
      });
      expect(await here("run", 'Post "Lunch at noon" to the team board')).toMatchObject({
        code: 3,
      });
      expect(await here("backup", file)).toMatchObject({
        code: 0,
        out: expect.stringContaining("files to"),
      });
      expect((await stat(file)).mode & 0o777).toBe(0o600);

      expect(await there("restore", file)).toMatchObject({
        code: 0,
        out: expect.stringContaining("Restored"),
      });
      expect(await there("restore", file)).toMatchObject({
        code: 1,
        err: expect.stringContaining("not empty"),
      });
      expect(await there("run", "read my Shopping note")).toMatchObject({
        code: 0,
        out: expect.stringContaining("milk, eggs"),
      });
      const { approvals } = JSON.parse((await there("approvals", "list", "--json")).out) as {
        approvals: { id: string; digest: string }[];
      };
      expect(approvals).toHaveLength(1);
      expect(
        await there("approvals", "approve", approvals[0]!.id, "--digest", approvals[0]!.digest),
      ).toMatchObject({ code: 0 });
      expect(await readFile(join(other, "boards", "team.txt"), "utf8")).toMatch(
        /^Lunch at noon \[bron:[-0-9a-f]+\]\n$/,
      );
    },
    timeout,
  );

  test(
    "reject a file that is not a backup, and an unwritable path",
    async () => {
      const file = join(folder, "nonsense.gz");
      await writeFile(file, "not a backup");
      const home = { BRON_HOME: join(folder, "third") };
      expect(await runBron(["restore", file], home)).toMatchObject({
        code: 2,
        err: expect.stringContaining("not a complete Bron backup"),
      });
      expect(await runBron(["restore", join(folder, "missing.gz")], home)).toMatchObject({
        code: 2,
        err: expect.stringContaining("missing.gz"),
      });
      expect(
        await runBron(["backup", join(folder, "no", "such", "folder.gz")], home),
      ).toMatchObject({ code: 2, err: expect.stringContaining("folder.gz") });
    },
    timeout,
  );
});
