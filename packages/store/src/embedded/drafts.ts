// Folders that are filled under a temporary name and then renamed. The name contains the pid, so
// that leftovers of a killed process can be recognized.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

const maxWorkMs = 60 * 60_000;

export function createDraft(parent: string, kind: string): Promise<string> {
  return mkdtemp(join(parent, `.${kind}-${process.pid}-`));
}

/** Best effort. A draft that cannot be removed now is left for the next start. */
export async function removeDeadDrafts(parent: string, kind: string): Promise<void> {
  const prefix = `.${kind}-`;
  for (const name of await readdir(parent).catch(() => [])) {
    const pid = name.startsWith(prefix)
      ? /^(\d+)-\w{6}$/.exec(name.slice(prefix.length))?.[1]
      : undefined;
    if (pid === undefined) continue;
    const path = join(parent, name);
    const ageMs =
      Date.now() -
      (await stat(path).then(
        (found) => found.mtimeMs,
        () => Date.now(),
      ));
    if (isAlive(Number(pid)) && ageMs < maxWorkMs) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}
