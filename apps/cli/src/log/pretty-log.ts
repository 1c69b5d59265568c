import { messageOf } from "@bron/core";
import type { LogLevel } from "../config.ts";
import { note, paint, type Terminal } from "../terminal.ts";
import type { Log } from "./log.ts";

const repeatAfterMs = 30_000;
const order: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/** For a person who watches: what runs and requests do is on the page and in other commands. */
export function createPrettyLog(terminal: Terminal, level: LogLevel): Log {
  const tells = (wanted: LogLevel) => order.indexOf(wanted) <= order.indexOf(level);
  const said = new Map<string, number>();
  return {
    terminal,
    progress: (message) => tells("info") && note(terminal, paint(terminal, "dim", message)),
    // A database that is away fails every second; saying it twice a minute is enough.
    problem(message, error) {
      const now = terminal.now().getTime();
      if (!tells("warn") || now - (said.get(message) ?? 0) < repeatAfterMs) return;
      if (said.size > 100) said.clear();
      said.set(message, now);
      note(terminal, paint(terminal, "yellow", `bron: ${message}`));
      if (level === "debug" && error instanceof Error)
        note(terminal, error.stack ?? messageOf(error));
    },
    runtimeEvent: () => undefined,
    request: () => undefined,
  };
}
