import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";

/**
 * Keeps what Node compiles from the sources that are loaded after this call in the home, for the next start. Never throws: without
 * the cache a start only takes longer. Node itself checks every entry, and compiles again what is damaged or out of date.
 */
export function useCompileCache(home: string): void {
  // NODE_COMPILE_CACHE names another folder.
  if (getCompileCacheDir() !== undefined) return;
  try {
    const folder = join(home, "compile-cache");
    // The home is made by the command that needs one, not here.
    if (isOurs(home) && makeFolder(folder)) enableCompileCache(folder);
  } catch {
    // A file in place of a folder, or one that may not be written to.
  }
}

/** Entries are run as code, so that nobody else may be able to write them. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return isOurs(path);
}

function isOurs(path: string): boolean {
  const stats = lstatSync(path);
  const uid = process.getuid?.();
  return (
    stats.isDirectory() && (uid === undefined || (stats.uid === uid && (stats.mode & 0o022) === 0))
  );
}
