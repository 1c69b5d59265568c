import type { CommandContext } from "../command-context.ts";
import type { Log } from "./log.ts";
import { createPrettyLog } from "./pretty-log.ts";

/** Opens a log of text for people, or of one JSON object per line. */
export async function openLog({
  terminal,
  config: { logFormat, logLevel },
}: CommandContext): Promise<Log> {
  if (logFormat === "pretty") return createPrettyLog(terminal, logLevel);
  // Loaded only here, so that the text log never loads pino.
  const { createJsonLog } = await import("./json-log.ts");
  return createJsonLog(terminal, logLevel);
}
