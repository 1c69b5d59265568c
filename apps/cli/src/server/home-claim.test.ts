import { BronError } from "@bron/core";
import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSmallDisk } from "../../../../test/http/support/small-disk.ts";
import { saveError } from "../save-error.ts";
import { tempFolder } from "@bron/testing";
import { claimHome, type HomeClaim, type ServerEntry } from "./home-claim.ts";

function entry(id: string): ServerEntry {
  return { id, pid: 4_000_000, url: "http://127.0.0.1:9", startedAt: "2026-11-15T12:00:00.000Z" };
}

/** Treats every process as alive, except those whose id says otherwise. */
const livesUnlessDead = async ({ id }: ServerEntry) => !id.startsWith("dead");

async function claimAll(
  home: string,
  ids: readonly string[],
): Promise<readonly PromiseSettledResult<HomeClaim>[]> {
  return await Promise.allSettled(ids.map((id) => claimHome(home, entry(id), livesUnlessDead)));
}

// A small tmpfs causes a real ENOSPC. Only root may mount one.
const disk = await openSmallDisk(64 * 1024);
test.skipIf(!disk)("reports a full disk, and not an internal error", async () => {
  try {
    await disk!.fill(0);
    await expect(claimHome(disk!.folder, entry("first"), livesUnlessDead)).rejects.toMatchObject({
      code: "disk_full",
      message: expect.stringContaining(disk!.folder),
    });
    expect(await saveError(disk!.folder, "abcd", new TypeError("x"))).toBe(false);
    await disk!.free();
    await (await claimHome(disk!.folder, entry("first"), livesUnlessDead)).release();
    expect(await saveError(disk!.folder, "abcd", new TypeError("x"))).toBe(true);
  } finally {
    await rm(join(disk!.folder, "errors.log"), { force: true });
    await disk!.close();
  }
});

test("reports an unwritable home", async () => {
  await expect(
    claimHome("/proc/no/such/folder", entry("first"), livesUnlessDead),
  ).rejects.toMatchObject({ code: "home_unusable" });
});

test("the second process learns who holds the home, and can claim it once the first is gone", async () => {
  const home = await tempFolder();
  const first = await claimHome(home, entry("first"), livesUnlessDead);
  await first.update("http://127.0.0.1:4310");
  await expect(claimHome(home, entry("second"), livesUnlessDead)).rejects.toMatchObject({
    code: "home_busy",
    message: expect.stringMatching(/process 4000000, http:\/\/127\.0\.0\.1:4310/),
  });
  await first.release();
  await first.release();
  await claimHome(home, entry("second"), livesUnlessDead);
  // A late release must not remove another process's claim.
  await first.release();
  expect(JSON.parse(await readFile(join(home, "server.json"), "utf8"))).toMatchObject({
    id: "second",
  });
});

test.each([
  ["an empty home", undefined],
  ["what a killed process left", JSON.stringify(entry("dead"))],
  ["an unreadable entry", "{"],
])("exactly one of many that start at once on %s wins", { timeout: 30_000 }, async (_, left) => {
  for (let round = 0; round < 25; round++) {
    const home = await tempFolder();
    if (left !== undefined) await writeFile(join(home, "server.json"), left);
    const results = await claimAll(home, ["a", "b", "c", "d", "e", "f"]);
    const lost = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    expect(lost).toHaveLength(5);
    expect(lost.every((error) => BronError.is(error, "home_busy"))).toBe(true);
    expect(await readdir(home)).toEqual(["server.json"]);
  }
});

test("takes over from a process that died before it could replace the file", async () => {
  const home = await tempFolder();
  const left = JSON.stringify(entry("dead-1"));
  await writeFile(join(home, "server.json"), left);
  await writeFile(
    join(home, `.server-${createHash("sha256").update(left).digest("hex").slice(0, 32)}.claim`),
    JSON.stringify(entry("dead-2")),
  );
  const results = await claimAll(home, ["a", "b", "c", "d"]);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await readdir(home)).toEqual(["server.json"]);
});
