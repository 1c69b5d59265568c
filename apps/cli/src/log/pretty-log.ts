import { messageOf } from "@bron/core";
import type { LogLevel } from "../config.ts";
import { note, paint, type Terminal } from "../terminal.ts";
import type { Log } from "./log.ts";

const repeatAfterMs = 30_000;
const order: readonly LogLevel[] = ["error", "warn", "info", "debug"];

/** A log for people. Omits runs and requests, which the web app and other commands show. */
export function createPrettyLog(terminal: Terminal, level: LogLevel): Log {
  const isEnabled = (wanted: LogLevel) => order.indexOf(wanted) <= order.indexOf(level);
  const lastLoggedAt = new Map<string, number>();
  return {
    terminal,
    progress: (message) => isEnabled("info") && note(terminal, paint(terminal, "dim", message)),
    // An unreachable database fails every second, so log the same message at most twice a minute.
    problem(message, error) {
      const now = terminal.now().getTime();
      if (!isEnabled("warn") || now - (lastLoggedAt.get(message) ?? 0) < repeatAfterMs) return;
      if (lastLoggedAt.size > 100) lastLoggedAt.clear();
      lastLoggedAt.set(message, now);
      note(terminal, paint(terminal, "yellow", `warning: ${message}`));
      if (level === "debug" && error instanceof Error)
        note(terminal, error.stack ?? messageOf(error));
    },
    runtimeEvent: () => undefined,
    request: () => undefined,
  };
}
