import { describeFailure, describeLogLine, type LogLine, type LogWords } from "@bron/protocol";
import { cardsWords } from "./cards.ts";
import { formatDuration } from "../duration.ts";
import { describeError, toolDone, toolLabel } from "./tools.ts";

const logWords: LogWords = {
  progress: ({ message }) => message,
  message_truncated: () => "The answer hit the length limit and may be incomplete.",
  reused: ({ tool, isUnknown }) =>
    `Reused from the earlier task: ${toolDone(tool)}${isUnknown ? " (unconfirmed)" : ""}`,
  model_retry: ({ error, delayMs }) =>
    `${describeFailure(error, cardsWords.failures)} Trying again in ${inSeconds(delayMs)}.`,
  effect_unclear: ({ tool, ...failure }) =>
    `${toolLabel(tool)}: ${describeError(failure)} Checking whether it went through.`,
  effect_retry: ({ tool, ...failure }) =>
    `${toolLabel(tool)}: ${describeError(failure) || "It was not done."} Trying again.`,
  effect_interrupted: ({ tool, delayMs }) =>
    `${toolLabel(tool)} was interrupted. Bron will check in ${inSeconds(delayMs)} whether it happened.`,
  outage: ({ code, message = "" }) =>
    `${code ? cardsWords.outages[code] : message} Bron keeps trying.`,
  waiting: ({ delayMs }) => `Continues in ${inSeconds(delayMs)}.`,
};

/** The text of a line of the log. */
export function describeLine(line: LogLine): string {
  return describeLogLine(line, logWords);
}

function inSeconds(ms: number): string {
  return formatDuration(Math.ceil(ms / 1_000) * 1_000);
}
