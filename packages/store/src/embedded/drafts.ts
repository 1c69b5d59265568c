// Folders that are filled under a temporary name and then renamed. The name carries the maker's pid, so that what a
// killed process left behind is known as such.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./is-alive.ts";

const longestWorkMs = 60 * 60_000;

export function makeDraft(parent: string, kind: string): Promise<string> {
  return mkdtemp(join(parent, `.${kind}-${process.pid}-`));
}

/** Cleaning is a courtesy: what cannot be removed now is left to the next start. */
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
    if (isAlive(Number(pid)) && ageMs < longestWorkMs) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 2 }).catch(() => undefined);
  }
}
