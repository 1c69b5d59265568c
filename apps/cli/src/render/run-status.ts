import { isTerminal, shownStatus, type RunView, type ShownStatus } from "@bron/protocol";

/** "succeeded", "needs_answer", "waiting for the page" */
export function statusWord(
  run: Pick<RunView, "status" | "cancelRequested" | "notDone" | "outcome" | "waitsFor">,
): string {
  if (run.cancelRequested && !isTerminal(run.status)) return "canceling";
  const word = shownStatus(run);
  if (word === "waits_for_program") return `waiting for the ${run.waitsFor?.program ?? "program"}`;
  return outcomeWords[word] ?? word;
}

const outcomeWords: Readonly<Partial<Record<ShownStatus, string>>> = {
  partly_done: "partly done",
  could_not: "couldn't do it",
  denied: "you declined",
};
