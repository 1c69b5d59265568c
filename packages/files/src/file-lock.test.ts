import { execFile } from "node:child_process";
import { access, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { withFileLock } from "./file-lock.ts";

const countUp = fileURLToPath(new URL("count-up.fixture.ts", import.meta.url));
const run = promisify(execFile);

async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bron-lock-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "count");
}

test("two processes that change a file at the same time lose no change", async () => {
  const file = await newFile();
  await writeFile(file, "0");
  const times = 25;
  await Promise.all(
    [1, 2].map(() =>
      run(process.execPath, [
        "--experimental-strip-types",
        "--no-warnings",
        countUp,
        file,
        String(times),
      ]),
    ),
  );
  expect(await readFile(file, "utf8")).toBe(String(2 * times));
  await expect(access(`${file}.lock`)).rejects.toThrow();
});

test("the lock of a dead process is removed, and a failure releases the lock", async () => {
  const file = await newFile();
  const longAgo = new Date(Date.now() - 60_000);
  await writeFile(`${file}.lock`, "1 gone");
  await utimes(`${file}.lock`, longAgo, longAgo);
  await expect(withFileLock(file, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withFileLock(file, async () => "done")).toBe("done");
});
