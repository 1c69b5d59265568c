import type { CommandContext } from "../command-context.ts";
import type { Log } from "./log.ts";
import { createPrettyLog } from "./pretty-log.ts";

/** For people, or a line of JSON for each thing. */
export async function openLog({
  terminal,
  config: { logFormat, logLevel },
}: CommandContext): Promise<Log> {
  if (logFormat === "pretty") return createPrettyLog(terminal, logLevel);
  // Whoever reads words never loads it.
  const { createJsonLog } = await import("./json-log.ts");
  return createJsonLog(terminal, logLevel);
}
