import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The absolute path of BRON_HOME. Expands `~`, because an env file does not. */
export function homePath(path: string | undefined): string {
  if (path === undefined) return join(homedir(), ".bron");
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : resolve(path);
}
