import {
  describeActionFailure,
  describeFailure,
  describeLogLine,
  outageWords,
  type LogLine,
  type LogWords,
} from "@bron/protocol";
import { shortId } from "./short-id.ts";

const words: LogWords = {
  progress: ({ message }) => message,
  message_truncated: () => "The answer hit the length limit and may be incomplete.",
  reused: ({ tool, runId, isUnknown }) =>
    `Reused from run ${shortId(runId)}: ${tool}${isUnknown ? ", outcome unknown" : ""}.`,
  model_retry: ({ error, delayMs }) =>
    `${describeFailure(error)} Trying again in ${ceilSeconds(delayMs)} s.`,
  effect_unclear: ({ tool, ...failure }) =>
    `${tool}: ${describeActionFailure(failure)} Checking whether it went through.`,
  effect_retry: ({ tool, ...failure }) =>
    `${tool}: ${describeActionFailure(failure) || "It was not done."} Trying again.`,
  effect_interrupted: ({ tool, delayMs }) =>
    `${tool} was interrupted. Bron will check in ${ceilSeconds(delayMs)} s whether it happened.`,
  outage: ({ code, message = "" }) => `${code ? outageWords[code] : message} Bron keeps trying.`,
  waiting: ({ delayMs }) => `Continues in ${ceilSeconds(delayMs)} s.`,
};

/** The text of a line of the log. */
export function describeLine(line: LogLine): string {
  return describeLogLine(line, words);
}

function ceilSeconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}
