import { chmod, cp, lstat, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { createDraft, removeDeadDrafts } from "./drafts.ts";
import { errnoOf, homeUnusable } from "./failures.ts";

/**
 * Returns the folder of a complete copy of the programs in `parent`. It reuses an existing copy or
 * creates one. The copy is filled under a temporary name and renamed, so that a crash leaves no
 * partial copy and one of two processes wins. A damaged copy is skipped and never changed, because
 * another process may be using that name.
 */
export async function copyBinaries(
  from: string,
  parent: string,
  options: { name: string; onProgress: (message: string) => void },
): Promise<string> {
  let draft: string | undefined;
  try {
    for (let damaged = 0; ; damaged += 1) {
      const to = join(parent, damaged === 0 ? options.name : `${options.name}.${damaged}`);
      if (!(await exists(to))) {
        draft ??= await makeCopy(from, parent, () =>
          options.onProgress(`Copying Postgres to ${to}`),
        );
        if (await moveIfFree(draft, to)) return to;
      }
      if (await isCompleteCopy(from, to)) return to;
    }
  } finally {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
  }
}

async function makeCopy(from: string, parent: string, announce: () => void): Promise<string> {
  announce();
  await removeDeadDrafts(parent, "binaries");
  const draft = await createDraft(parent, "binaries");
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true });
    await openModes(draft);
    return draft;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

async function moveIfFree(draft: string, to: string): Promise<boolean> {
  try {
    await rename(draft, to);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOTEMPTY" || errnoOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Readable for all and writable only for the owner, whatever umask npm ran with. */
async function openModes(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) await chmod(path, 0o755);
    else if (entry.isFile())
      await chmod(path, basename(entry.parentPath) === "bin" ? 0o755 : 0o644);
  }
}

/**
 * The programs and libraries have the same names and sizes, and only the owner could have written
 * them.
 */
async function isCompleteCopy(from: string, to: string): Promise<boolean> {
  const found = await lstat(to);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw homeUnusable(
      to,
      "the copy of Postgres there belongs to another user or is writable by others. Remove it and start again.",
    );
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
      // Another process may be creating its links there under temporary names.
      const found = await lstat(join(native, folder, name)).catch((error: unknown) => {
        if (errnoOf(error) !== "ENOENT") throw error;
      });
      if (found?.isFile() === true) lines.push(`${folder}/${name} ${found.size}`);
    }
  }
  await stat(join(native, "share"));
  return lines.join("\n");
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
