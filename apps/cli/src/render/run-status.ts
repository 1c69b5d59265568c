import { isTerminal, shownStatus, type RunView } from "@bron/protocol";

/** "succeeded", "needs_answer", "waiting for the page" */
export function statusWord(
  run: Pick<RunView, "status" | "cancelRequested" | "notDone" | "waitsFor">,
): string {
  if (run.cancelRequested && !isTerminal(run.status)) return "canceling";
  const word = shownStatus(run);
  if (word === "waits_for_program") return `waiting for the ${run.waitsFor?.program ?? "program"}`;
  return word === "partly_done" ? "partly done" : word;
}
