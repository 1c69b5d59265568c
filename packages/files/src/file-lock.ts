import { BronError } from "@bron/core";
import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { codeOf } from "./home-folder.ts";

/** Work under a lock reads and replaces one small file, so a lock this old is of a dead process. */
const staleMs = 10_000;
const giveUpMs = 15_000;
const retryMs = 20;

/**
 * Does the work while no other process does work under the lock of this file, so that a change that
 * was read from the file is not lost. Throws conflict if the lock does not become free.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const token = `${process.pid} ${randomBytes(8).toString("hex")}`;
  for (const until = Date.now() + giveUpMs; !(await take(lock, token)); await wait(retryMs)) {
    if (Date.now() > until)
      throw new BronError("conflict", `Another process is changing ${path}.`, {
        details: { hint: `Try again. If no other bron command is running, delete ${lock}.` },
      });
    await removeStale(lock);
  }
  try {
    return await work();
  } finally {
    if ((await read(lock)) === token) await rm(lock, { force: true });
  }
}

async function take(lock: string, token: string): Promise<boolean> {
  try {
    await writeFile(lock, token, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Several processes may find the lock stale. One of them moves it away. If it moved the new lock of
 * another process instead, it puts that back.
 */
async function removeStale(lock: string): Promise<void> {
  const [token, found] = [await read(lock), await stat(lock).catch(() => undefined)];
  if (!found || Date.now() - found.mtimeMs < staleMs) return;
  const aside = `${lock}-${randomBytes(6).toString("hex")}`;
  try {
    await rename(lock, aside);
    if ((await read(aside)) !== token) await link(aside, lock).catch(() => undefined);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function read(lock: string): Promise<string | undefined> {
  return await readFile(lock, "utf8").catch(() => undefined);
}
