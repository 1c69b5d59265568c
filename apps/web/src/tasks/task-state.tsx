import { isTerminal, shownStatus, type ShownStatus, type ThreadView } from "@bron/protocol";
import { texts } from "../texts.ts";
import { describeRunState } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";

/** Only what the owner should look at has a color. */
const looks: Partial<Readonly<Record<ShownStatus, string>>> = {
  needs_approval: "rounded-full border border-ask-edge bg-ask px-2 text-xs font-medium text-ink",
  needs_answer: "rounded-full border border-quiet bg-raised px-2 text-xs font-medium text-ink",
  needs_auth: "rounded-full border border-quiet bg-raised px-2 text-xs font-medium text-ink",
  running: "text-accent",
  queued: "text-accent",
  could_not: "text-bad",
  failed: "text-bad",
};

/** How the task is, in words. */
export function TaskState({ thread }: { readonly thread: ThreadView }) {
  const run = stateOf(thread);
  const status = shownStatus(run);
  const words = describeRunState(run);
  const { pendingCount } = thread;
  return (
    <span className={cx("inline-flex shrink-0 items-center gap-1.5", looks[status])}>
      {status === "running" && (
        <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" />
      )}
      {pendingCount > 1 ? texts.tasks.waiting(words, pendingCount) : words}
    </span>
  );
}

/** The newest task, unless an earlier one still waits for something. */
function stateOf({ status, waitsFor, latestRun }: ThreadView) {
  return {
    status: waitsFor !== null && isTerminal(status) ? ("executing" as const) : status,
    notDone: latestRun.notDone,
    outcome: latestRun.outcome,
    waitsFor,
  };
}
