import type { RuntimeEvent } from "@bron/runtime";
import { pino, stdTimeFunctions } from "pino";
import type { LogLevel } from "../config.ts";
import type { Terminal } from "../terminal.ts";
import { version } from "../version.ts";
import { describeError, redactMessage } from "./describe-error.ts";
import type { Log } from "./log.ts";

/** Events that occur many times per run, logged at the level debug. */
const details: ReadonlySet<RuntimeEvent["what"]> = new Set([
  "segment_ended",
  "model_called",
  "tool_ended",
  "effect_moved",
]);
/** Routes that monitoring calls every few seconds, logged at the level debug. */
const probes: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Writes one JSON object per line. Contains ids, but no content of runs, no addresses and no
 * secrets.
 */
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
        redactMessage(error, message),
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
