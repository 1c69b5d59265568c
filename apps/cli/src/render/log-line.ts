import { createLogWords, describeLogLine, type LogLine } from "@bron/protocol";
import { shortId } from "./short-id.ts";

const words = createLogWords({
  tool: (name) => name,
  delay: (ms) => `${Math.ceil(ms / 1_000)}s`,
  reused: ({ tool, runId, isUnknown }) =>
    `Reused from run ${shortId(runId)}: ${tool}${isUnknown ? ", outcome unknown" : ""}.`,
});

/** The text of a line of the log. */
export function describeLine(line: LogLine): string {
  return describeLogLine(line, words);
}
