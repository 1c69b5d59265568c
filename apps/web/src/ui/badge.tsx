import { shownStatus, type BronStatus, type RunView, type ShownStatus } from "@bron/protocol";
import { usePlaceGone } from "../live/use-place-gone.ts";
import { texts } from "../texts.ts";
import { cx } from "./cx.ts";

type Status = ShownStatus | BronStatus;

const statusClasses: Readonly<Record<Status, string>> = {
  idle: "border-edge text-quiet",
  queued: "border-edge text-quiet",
  running: "border-accent bg-accent-soft text-accent",
  needs_approval: "border-ask-edge bg-ask text-ink",
  needs_answer: "border-quiet bg-raised text-ink",
  waits_for_program: "border-quiet bg-raised text-ink",
  needs_auth: "border-quiet bg-raised text-ink",
  succeeded: "border-good bg-good-soft text-good",
  completed: "border-good bg-good-soft text-good",
  partly_done: "border-edge text-ink",
  could_not: "border-bad bg-bad-soft text-bad",
  denied: "border-edge text-quiet",
  failed: "border-bad bg-bad-soft text-bad",
  canceled: "border-edge text-quiet",
};

/** A status by color and by word, so that it does not depend on color alone. */
export function StatusBadge({
  status,
  words = texts.status[status],
}: {
  readonly status: Status;
  readonly words?: string;
}) {
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
      {words}
    </span>
  );
}

type RunState = Pick<RunView, "status" | "notDone" | "outcome" | "waitsFor">;

/** How a run is, or what it waits for. */
export function RunBadge({
  run,
}: {
  readonly run: RunState & Partial<Pick<RunView, "place" | "runnable">>;
}) {
  const { place = null, runnable = false, status } = run;
  const { isGone } = usePlaceGone({ status, place, runnable });
  return isGone && place ? (
    <StatusBadge
      status="waits_for_program"
      words={"folder" in place ? texts.place.waitsForFolder : texts.place.waitsForProcess}
    />
  ) : (
    <StatusBadge status={shownStatus(run)} words={describeRunState(run)} />
  );
}

/** The words of the badge. */
export function describeRunState(run: RunState): string {
  const status = shownStatus(run);
  return status === "waits_for_program" && run.waitsFor?.program !== undefined
    ? texts.waitingFor(run.waitsFor.program)
    : texts.status[status];
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
