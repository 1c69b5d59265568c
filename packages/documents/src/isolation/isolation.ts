import { parserCommand, type Command } from "./parser-command.ts";
import { wallsHere, wallWorks, type Wall } from "./walls.ts";

/** How strongly the parser is locked up. Each level has what the next one has. */
export type IsolationLevel = Wall["level"] | "permission";

export interface Isolation {
  readonly level: IsolationLevel;
  readonly command: Command;
}

let found: Promise<Isolation> | undefined;

/** The strongest that works here; tried once for the life of the process. */
export function chooseIsolation(): Promise<Isolation> {
  found ??= tryIsolation(wallsHere());
  return found;
}

export async function tryIsolation(walls: readonly Wall[]): Promise<Isolation> {
  const command = parserCommand();
  for (const wall of walls) {
    if (await wallWorks(wall, command)) return { level: wall.level, command: wall.wrap(command) };
  }
  return { level: "permission", command };
}

export async function isolationLevel(): Promise<IsolationLevel> {
  return (await chooseIsolation()).level;
}

/** For `bron doctor`. */
export function describeIsolation(level: IsolationLevel): string {
  const how = {
    bubblewrap: "inside bubblewrap",
    namespace: "with Node's permissions and a network namespace of its own",
    permission: "with Node's permissions",
  }[level];
  const files =
    level === "bubblewrap" ? "no files, no other process in sight" : "no files, no programs";
  return `Documents are parsed in a process of their own ${how}: no network, ${files}, limited memory and time.`;
}
