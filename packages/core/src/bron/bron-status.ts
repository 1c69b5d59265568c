import { isTerminal, webStatusOf, type BronStatus, type RunStatus } from "@bron/protocol";

/**
 * The status of a Bron, by the status of its latest run. A Bron whose last run ended more than a day
 * ago is idle.
 */
export function bronStatusOf(status: RunStatus | null, endedLately: boolean): BronStatus {
  if (status === null || (isTerminal(status) && !endedLately)) return "idle";
  const word = webStatusOf[status];
  return word === "succeeded" ? "completed" : word === "queued" ? "running" : word;
}
