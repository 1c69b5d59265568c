import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The folder that BRON_HOME names. A shell expands `~`, an env file does not. */
export function homePath(given: string | undefined): string {
  if (given === undefined) return join(homedir(), ".bron");
  return given === "~" || given.startsWith("~/") ? join(homedir(), given.slice(1)) : resolve(given);
}
