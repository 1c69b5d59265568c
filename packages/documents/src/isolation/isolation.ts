import { parserCommand, type Command } from "./parser-command.ts";
import { availableJails, jailWorks, type Jail } from "./jails.ts";

/** Isolation of the parser. Each level includes the protections of the next one. */
type IsolationLevel = Jail["level"] | "permission";

export interface Isolation {
  readonly level: IsolationLevel;
  readonly command: Command;
}

let found: Promise<Isolation> | undefined;

/** The strongest isolation that works here. Probed once per process. */
export function chooseIsolation(): Promise<Isolation> {
  found ??= tryIsolation(availableJails());
  return found;
}

export async function tryIsolation(jails: readonly Jail[]): Promise<Isolation> {
  const command = parserCommand();
  for (const jail of jails) {
    if (await jailWorks(jail, command)) return { level: jail.level, command: jail.wrap(command) };
  }
  return { level: "permission", command };
}

export async function isolationLevel(): Promise<IsolationLevel> {
  return (await chooseIsolation()).level;
}

/** One sentence for `bron doctor`. */
export function describeIsolation(level: IsolationLevel): string {
  const how = {
    bubblewrap: "inside bubblewrap",
    namespace: "with Node's permissions and a separate network namespace",
    permission: "with Node's permissions",
  }[level];
  const files = level === "bubblewrap" ? "no files, no other processes" : "no files, no programs";
  return `Documents are parsed in a separate process ${how}: no network, ${files}, limited memory and time.`;
}
