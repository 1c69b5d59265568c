import { bubblewrapWorks, findBubblewrap, inBubblewrap } from "./bubblewrap.ts";
import { parserCommand, type Command } from "./parser-command.ts";

/** How strongly the parser is locked up. Each level has what the next one has. */
export type IsolationLevel = "bubblewrap" | "permission";

export interface Isolation {
  readonly level: IsolationLevel;
  readonly command: Command;
}

let found: Promise<Isolation> | undefined;

/** The strongest that works here; tried once for the life of the process. */
export function chooseIsolation(): Promise<Isolation> {
  found ??= tryIsolation(findBubblewrap());
  return found;
}

export async function tryIsolation(bubblewrap: string | undefined): Promise<Isolation> {
  const command = parserCommand();
  if (bubblewrap !== undefined && (await bubblewrapWorks(bubblewrap, command))) return { level: "bubblewrap", command: inBubblewrap(bubblewrap, command) };
  return { level: "permission", command };
}

export async function isolationLevel(): Promise<IsolationLevel> {
  return (await chooseIsolation()).level;
}

/** For `bron doctor`. */
export function describeIsolation(level: IsolationLevel): string {
  if (level === "bubblewrap") return "Documents are parsed in a process of their own inside bubblewrap: no network, no files, limited memory and time.";
  const advice = process.platform === "linux" ? " Install bubblewrap to cut it off from the network too." : "";
  return `Documents are parsed in a process of their own with Node's permissions: no files, no programs, limited memory and time.${advice}`;
}
