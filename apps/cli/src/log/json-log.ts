import type { RuntimeEvent } from "bron";
import { pino, stdTimeFunctions } from "pino";
import type { LogLevel } from "../config.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";
import { describeError, withoutWordsOf } from "./describe-error.ts";
import type { Log } from "./log.ts";

/** What happens many times in a run. */
const details: ReadonlySet<RuntimeEvent["what"]> = new Set([
  "segment_ended",
  "model_called",
  "tool_ended",
  "effect_moved",
]);
/** Asked every few seconds by machines. */
const probes: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** A line for each thing, with ids and without words of runs, addresses or secrets. */
export function createJsonLog(terminal: Terminal, level: LogLevel): Log {
  const log = pino(
    {
      level,
      base: { service: "bron", version, pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: terminal.err },
  );
  return {
    terminal: { ...terminal, color: false, err: (text) => log.info(text.trim()) },
    progress: (message) => log.info(message),
    problem: (message, error) =>
      log.warn(
        { error: describeError(error, { withStack: level === "debug" }) },
        withoutWordsOf(error, message),
      ),
    runtimeEvent: (runtimeEvent) =>
      log[details.has(runtimeEvent.what) ? "debug" : "info"](
        runtimeEvent,
        runtimeEvent.what.replaceAll("_", " "),
      ),
    request: (entry) =>
      log[entry.status >= 500 ? "error" : probes.has(entry.route) ? "debug" : "info"](
        entry,
        "request",
      ),
  };
}
