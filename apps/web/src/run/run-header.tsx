import type { ConnectionState } from "@bron/client";
import { isTerminal, visible, type RunView, type WaitsFor } from "@bron/protocol";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../api.ts";
import { formatDuration } from "../duration.ts";
import { formatDollars } from "../money.ts";
import { useRoomAtTop } from "../edges.ts";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { RunBadge } from "../ui/badge.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useFocusAfter } from "../ui/use-focus-after.ts";
import { formatCount } from "../usage/amounts.ts";
import { useNow } from "../use-now.ts";
import { PlaceNotice } from "./place-notice.tsx";
import { RetryButton } from "./retry-button.tsx";
import type { Timeline } from "./timeline.ts";

interface RunHeaderProps {
  readonly timeline: Timeline;
  readonly run: RunView | undefined;
  readonly runId: string;
  readonly waitsFor: WaitsFor | null;
  readonly connection: ConnectionState;
}

/** Stays at the top of the page: the task, its status, time and cost, and its buttons. */
export function RunHeader({ timeline, run, runId, waitsFor, connection }: RunHeaderProps) {
  const header = useRoomAtTop("--task-room");
  const stop = useMutation({
    mutationFn: () => api.call("POST /api/runs/:id/cancel", { params: { id: runId } }),
  });
  const isFinished = isTerminal(timeline.status);
  const isKnown = timeline.seq > 0;
  // The owner may settle an unknown effect after the log has ended, so the run is newer.
  const notDone = run && isTerminal(run.status) ? run.notDone : timeline.notDone;
  // A subtask is retried with its main task.
  const canRetry =
    run?.parentRunId === null &&
    (timeline.status === "failed" || timeline.status === "canceled" || (isFinished && notDone > 0));
  const isStopping = timeline.cancelRequested || stop.isPending;
  return (
    <header
      ref={header}
      className="sticky top-(--menu-room) z-10 border-b border-edge bg-ground/95 py-1.5 backdrop-blur sm:py-3"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 sm:flex-nowrap">
        <h1
          className="order-1 min-w-0 flex-1 truncate text-base font-semibold tracking-tight outline-none sm:text-lg"
          tabIndex={-1}
          id="run-title"
        >
          {run ? visible(run.title) : texts.run.title}
        </h1>
        <div className="order-3 flex min-w-0 basis-full items-center gap-3 text-sm text-quiet sm:order-2 sm:basis-auto">
          <span role="status" tabIndex={-1} className="rounded-full outline-none">
            {isKnown && <RunBadge run={{ status: timeline.status, notDone, waitsFor }} />}
          </span>
          {connection !== "live" && (
            <span
              role="status"
              title={texts.connectionHint[connection]}
              className="truncate rounded-full border border-ask-edge bg-ask px-2.5 py-0.5 text-xs text-ink"
            >
              {texts.connection[connection]}
            </span>
          )}
          <Totals
            timeline={timeline}
            spentMicrousd={Math.max(run?.spentMicrousd ?? 0, timeline.costMicrousd)}
          />
        </div>
        <div className="order-2 flex shrink-0 items-center gap-1 sm:order-3">
          {!isFinished && isKnown && (
            <StopButton isStopping={isStopping} onStop={() => stop.mutate()} />
          )}
          {canRetry && <RetryButton runId={runId} />}
          {isKnown && (
            <a
              href={`/api/runs/${encodeURIComponent(runId)}/export`}
              download
              title={texts.run.exportHint}
              className={buttonClass("quiet")}
            >
              {texts.run.export}
            </a>
          )}
        </div>
      </div>
      {run && run.parentRunId !== null && <ParentLink runId={run.parentRunId} />}
      {run && run.place !== null && !isFinished && <PlaceNotice run={run} place={run.place} />}
      {stop.error !== null && (
        <div>
          <p className="mt-2 text-sm text-bad">{texts.notStopped}</p>
          <Problem error={stop.error} />
        </div>
      )}
    </header>
  );
}

function ParentLink({ runId }: { readonly runId: string }) {
  const { data: parent } = useQuery(queries.run(runId));
  return (
    <p className="mt-1 truncate text-sm text-quiet">
      <Link to="/runs/$runId" params={{ runId }}>
        {parent ? texts.run.subtaskOf(visible(parent.title)) : texts.run.subtaskOfAnother}
      </Link>
    </p>
  );
}

function StopButton({
  isStopping,
  onStop,
}: {
  readonly isStopping: boolean;
  readonly onStop: () => void;
}) {
  const button = useFocusAfter<HTMLButtonElement>((container) =>
    container?.querySelector<HTMLElement>("[role=status]"),
  );
  return (
    <Button ref={button} kind="danger" isBusy={isStopping} onClick={onStop}>
      {isStopping ? texts.stopping : texts.stop}
    </Button>
  );
}

function Totals({
  timeline,
  spentMicrousd,
}: {
  readonly timeline: Timeline;
  readonly spentMicrousd: number;
}) {
  const now = useNow(timeline.startedAt !== undefined && timeline.endedAt === undefined);
  if (timeline.startedAt === undefined) return null;
  const time = timeline.endedAt === undefined ? texts.run.elapsed : texts.run.duration;
  const elapsedMs =
    (timeline.endedAt === undefined ? now : Date.parse(timeline.endedAt)) -
    Date.parse(timeline.startedAt);
  return (
    <>
      {/* Wide enough for most of an hour, so that nothing beside it moves as it grows. */}
      <span
        title={time}
        className="shrink-0 text-end whitespace-nowrap tabular-nums sm:min-w-[6.5em]"
      >
        <span className="sr-only">{time}: </span>
        {formatDuration(elapsedMs)}
      </span>
      <span
        title={texts.run.tokens(
          formatCount(timeline.inputTokens),
          formatCount(timeline.outputTokens),
        )}
        className="tabular-nums"
      >
        <span className="sr-only">{texts.run.cost}: </span>
        {formatDollars(spentMicrousd)}
      </span>
    </>
  );
}
