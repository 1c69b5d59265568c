import { createLogWords, describeLogLine, toolDone, toolLabel, type LogLine } from "@bron/protocol";
import { shortId } from "./short-id.ts";

const words = createLogWords({
  tool: toolLabel,
  delay: (ms) => `${Math.ceil(ms / 1_000)}s`,
  reused: ({ tool, runId, isUnknown }) =>
    `Reused from run ${shortId(runId)}: ${toolDone(tool)}${isUnknown ? ", outcome unknown" : ""}.`,
});

/** The text of a line of the log. */
export function describeLine(line: LogLine): string {
  return describeLogLine(line, words);
}
