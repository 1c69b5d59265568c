import { chmod, cp, lstat, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeDraft, removeDeadDrafts } from "./drafts.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

/**
 * Copies the programs to `to` by way of a temporary folder and a rename: a kill leaves no half copy under the final
 * name, and of two processes one wins. A copy that is there and whole is used again.
 */
export async function copyBinaries(from: string, to: string, onProgress: (message: string) => void): Promise<void> {
  if (await isWholeCopy(from, to)) return;
  onProgress(`Copying Postgres to ${to}`);
  const parent = dirname(to);
  await removeDeadDrafts(parent, "binaries");
  const draft = await makeDraft(parent, "binaries");
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true });
    await openModes(draft);
    await putInPlace(draft, to, () => isWholeCopy(from, to));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Readable for all, writable for the owner only, whatever umask npm ran under. */
async function openModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, basename(entry.parentPath) === "bin" ? 0o755 : 0o644);
  }
}

/** Yields to a whole copy that came first; a broken one is moved aside, by however many processes see it. */
async function putInPlace(draft: string, to: string, isWhole: () => Promise<boolean>): Promise<void> {
  for (;;) {
    try {
      return await rename(draft, to);
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST"].includes(errnoOf(error) ?? "")) throw error;
    }
    if (await isWhole()) return;
    const aside = await makeDraft(dirname(to), "binaries");
    await rename(to, aside).catch((error: unknown) => {
      if (errnoOf(error) !== "ENOENT") throw error;
    });
    await rm(aside, { recursive: true, force: true });
  }
}

/** Same names and sizes of programs and libraries, and nobody else could have written them. */
async function isWholeCopy(from: string, to: string): Promise<boolean> {
  const found = await lstat(to).catch(() => undefined);
  if (found === undefined) return false;
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw homeUnusable(to, "the copy of Postgres there belongs to another user or can be written by others. Remove it and start again.");
  }
  try {
    return (await listing(from)) === (await listing(to));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function listing(native: string): Promise<string> {
  const lines: string[] = [];
  for (const folder of ["bin", "lib"]) {
    for (const name of (await readdir(join(native, folder))).sort()) {
      const found = await lstat(join(native, folder, name));
      if (found.isFile()) lines.push(`${folder}/${name} ${found.size}`);
    }
  }
  await stat(join(native, "share"));
  return lines.join("\n");
}
