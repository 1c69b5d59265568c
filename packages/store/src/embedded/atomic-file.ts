import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { errnoOf } from "./failures.ts";

export async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Creates a file that is either complete or absent. Of several writers exactly one gets `true`. */
export async function writeOnce(path: string, content: string): Promise<boolean> {
  const draft = draftName(path);
  try {
    await writeSynced(draft, content);
    await link(draft, path);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes a file only if it still has this content. If another process has written it meanwhile,
 * the file is restored.
 */
export async function removeIfStill(path: string, content: string): Promise<void> {
  const movedPath = draftName(path);
  try {
    await rename(path, movedPath);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    if ((await readFile(movedPath, "utf8")) !== content) await link(movedPath, path);
  } catch (error) {
    if (errnoOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(movedPath, { force: true });
  }
}

export async function writeSynced(path: string, content: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function draftName(path: string): string {
  return `${dirname(path)}/.draft-${randomBytes(6).toString("hex")}`;
}
