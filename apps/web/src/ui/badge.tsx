import { webStatusOf, type BronStatus, type RunView, type WebRunStatus } from "@bron/protocol";
import { texts } from "../texts.ts";
import { cx } from "./cx.ts";

type Status = WebRunStatus | BronStatus | "partly_done";

const statusClasses: Readonly<Record<Status, string>> = {
  idle: "border-edge text-quiet",
  queued: "border-edge text-quiet",
  running: "border-accent bg-accent-soft text-accent",
  needs_approval: "border-ask-edge bg-ask text-ink",
  needs_auth: "border-ask-edge bg-ask text-ink",
  succeeded: "border-good bg-good-soft text-good",
  completed: "border-good bg-good-soft text-good",
  partly_done: "border-ask-edge bg-ask text-ink",
  failed: "border-bad bg-bad-soft text-bad",
  canceled: "border-edge text-quiet",
};

/** A status by color and by word, so that it does not depend on color alone. */
export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap",
        statusClasses[status],
      )}
    >
      {status === "running" && (
        <span aria-hidden="true" className="size-1.5 animate-pulse rounded-full bg-current" />
      )}
      {texts.status[status]}
    </span>
  );
}

/** A run that completed without some of its changes is "Partly done", not green. */
export function RunBadge({
  run: { status, notDone },
}: {
  readonly run: Pick<RunView, "status" | "notDone">;
}) {
  return (
    <StatusBadge
      status={status === "completed" && notDone > 0 ? "partly_done" : webStatusOf[status]}
    />
  );
}

export function Count({ count, label }: { readonly count: number; readonly label: string }) {
  if (count === 0) return null;
  return (
    <span className="ml-auto inline-flex min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-semibold text-on-accent">
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {label}</span>
    </span>
  );
}
