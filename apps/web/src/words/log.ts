import { createLogWords, describeLogLine, type LogLine } from "@bron/protocol";
import { formatDuration } from "../duration.ts";
import { cardsWords } from "./cards.ts";
import { toolDone, toolLabel } from "./tools.ts";

const logWords = createLogWords(
  {
    tool: toolLabel,
    delay: (ms) => formatDuration(Math.ceil(ms / 1_000) * 1_000),
    reused: ({ tool, isUnknown }) => cardsWords.reusedEarlier(toolDone(tool), isUnknown),
  },
  cardsWords,
);

/** The text of a line of the log. */
export function describeLine(line: LogLine): string {
  return describeLogLine(line, logWords);
}
