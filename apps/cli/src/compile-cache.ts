import { lstatSync, mkdirSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";

/**
 * Caches the compiled code of every module loaded after this call, in the home. Never throws,
 * because without the cache a start only takes longer. Node checks every entry, and recompiles
 * those that are damaged or out of date.
 */
export function useCompileCache(home: string): void {
  // NODE_COMPILE_CACHE already enabled a cache elsewhere.
  if (getCompileCacheDir() !== undefined) return;
  try {
    const folder = join(home, "compile-cache");
    // Does not create the home. Commands that need one create it.
    if (isOurs(home) && makeFolder(folder)) enableCompileCache(folder);
  } catch {
    // The path is a file, or the folder is not writable.
  }
}

/** Entries are executed as code, so no other user may be able to write to the folder. */
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
