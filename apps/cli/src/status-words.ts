import {
  runStates,
  statusWords,
  webStatusOf,
  type RunStatus,
  type ShownStatus,
} from "@bron/protocol";

interface StatusFilter {
  /** The states of the log in which such runs are. */
  readonly states: readonly RunStatus[];
  /** The status that people see. Absent if it is all runs of these states. */
  readonly shown?: ShownStatus;
}

const shownNames = Object.keys(statusWords) as ShownStatus[];

/** Values of `--status` for help and completion: the statuses that people see. */
export const statusNames: readonly string[] = [
  ...shownNames.filter((name) => name !== "succeeded"),
  "done",
];

/**
 * Reads a status as people or programs write it: "partly done", "Partly done", `partly_done`,
 * `completed`. Undefined if there is no such status.
 */
export function readStatus(text: string): StatusFilter | undefined {
  const key = keyOf(text);
  const state = runStates.find((one) => keyOf(one) === key);
  if (state && !(state in statusWords)) return { states: [state] };
  const shown = shownNames.find((name) => keyOf(name) === key || keyOf(statusWords[name]) === key);
  return shown && { states: statesOf(shown), shown };
}

const keyOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, "");

const outcomes: ReadonlySet<ShownStatus> = new Set([
  "succeeded",
  "partly_done",
  "could_not",
  "denied",
]);

/** `needs_answer` is a run that waits, and one that ended with a question. */
function statesOf(shown: ShownStatus): readonly RunStatus[] {
  if (outcomes.has(shown)) return ["completed"];
  if (shown === "needs_answer") return ["awaiting_confirmation", "completed"];
  if (shown === "waits_for_program" || shown === "needs_approval") return ["awaiting_confirmation"];
  // A run that has what it waited for is shown as running until a worker advances it.
  if (shown === "running")
    return ["planning", "executing", "awaiting_confirmation", "awaiting_auth"];
  return runStates.filter((state) => webStatusOf[state] === shown);
}
