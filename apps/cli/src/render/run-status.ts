import { isTerminal, webStatusOf, type RunView } from "@bron/protocol";

export function statusWord(run: Pick<RunView, "status" | "cancelRequested">): string {
  return run.cancelRequested && !isTerminal(run.status) ? "canceling" : webStatusOf[run.status];
}
