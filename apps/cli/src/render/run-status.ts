import { isTerminal, webStatusOf, type RunView } from "@bron/protocol";

export function statusWord(run: Pick<RunView, "status" | "cancelRequested" | "notDone">): string {
  if (run.cancelRequested && !isTerminal(run.status)) return "canceling";
  return run.status === "completed" && run.notDone > 0 ? "partly done" : webStatusOf[run.status];
}
