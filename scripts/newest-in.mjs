import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** When a file, or the newest file in a folder, was last changed. */
export async function newestIn(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path);
  return Math.max(
    found.mtimeMs,
    ...(await Promise.all(names.map((name) => newestIn(join(path, name))))),
  );
}

/** When a file was last changed, or 0 if there is none. */
export async function timeOf(path) {
  return await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
