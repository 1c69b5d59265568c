import {
  describeTiming,
  scheduleStateText,
  shownStatus,
  skipText,
  visible,
  type ScheduleView,
} from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { schedulesWords } from "../words/schedules.ts";
import { StatusBadge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { shortTime } from "./short-time.ts";
import { ownZone } from "./timing-of.ts";
import { useSchedules } from "./use-schedules.ts";

/** One schedule or watch: when, its next times, its last tasks, and what the owner can do. */
export function ScheduleItem({ schedule }: { readonly schedule: ScheduleView }) {
  const { id, title, prompt, watch, zone, state, writtenBy, failures, problem } = schedule;
  const changes = useSchedules();
  const { pause, resume, remove, run, own } = changes;
  const confirm = useConfirm();
  const isNormal = state === "active" || schedule.reason === "owner" || schedule.reason === "done";
  return (
    <Panel tone={isNormal ? "plain" : "ask"} label={title}>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="m-0 text-base font-semibold wrap-anywhere">{visible(title)}</h2>
          <p className="mt-0.5 text-sm text-quiet wrap-anywhere">
            {watch
              ? schedulesWords.watching(schedulesWords.sources[watch.source], visible(watch.query))
              : describeTiming(schedule)}
            {zone !== ownZone() && !watch && ` ${schedulesWords.inZone(zone)}`}
          </p>
        </div>
        <Actions schedule={schedule} changes={changes} ask={confirm.ask} />
      </div>
      {prompt !== title && (
        <p className="mt-3 whitespace-pre-wrap wrap-anywhere">{visible(prompt)}</p>
      )}
      {writtenBy !== "owner" && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-sm text-quiet">
          <span>{schedulesWords.words[writtenBy]}</span>
          <Button
            kind="quiet"
            isBusy={own.isPending}
            onClick={() =>
              confirm.ask({
                title: schedulesWords.ownWordsTitle,
                words: schedulesWords.ownWordsAbout,
                yes: schedulesWords.ownWords,
                onYes: () => own.mutate({ id, prompt }),
              })
            }
          >
            {schedulesWords.ownWords}
          </Button>
        </div>
      )}
      {state !== "active" && (
        <p className="mt-3 font-medium">{schedulesWords.sentence(scheduleStateText(schedule))}</p>
      )}
      {problem !== null && (
        <p className="mt-1 text-sm text-bad wrap-anywhere">{visible(problem)}</p>
      )}
      {failures > 0 && state === "active" && (
        <p className="mt-3 text-sm text-bad">{schedulesWords.failures(failures)}</p>
      )}
      <Problem error={pause.error ?? resume.error ?? run.error ?? remove.error ?? own.error} />
      <Times schedule={schedule} />
      {confirm.dialog}
    </Panel>
  );
}

function Actions({
  schedule: { id, title, state },
  changes: { pause, resume, run, remove },
  ask,
}: {
  readonly schedule: ScheduleView;
  readonly changes: ReturnType<typeof useSchedules>;
  readonly ask: ReturnType<typeof useConfirm>["ask"];
}) {
  return (
    <div className="flex items-center gap-2">
      {state === "active" && (
        <Button isBusy={pause.isPending} onClick={() => pause.mutate(id)}>
          {schedulesWords.pause}
        </Button>
      )}
      {state === "paused" && (
        <Button isBusy={resume.isPending} onClick={() => resume.mutate(id)}>
          {schedulesWords.resume}
        </Button>
      )}
      <Button isBusy={run.isPending} onClick={() => run.mutate(id)}>
        {schedulesWords.run}
      </Button>
      <Menu
        label={schedulesWords.more(title)}
        items={[
          {
            name: schedulesWords.remove,
            isDanger: true,
            run: () =>
              ask({
                title: schedulesWords.removeTitle(title),
                words: schedulesWords.removeAbout,
                yes: schedulesWords.remove,
                onYes: () => remove.mutate(id),
              }),
          },
        ]}
      />
    </div>
  );
}

function Times({ schedule }: { readonly schedule: ScheduleView }) {
  const { nextTimes, lastRuns, skipped, watch } = schedule;
  return (
    <dl className="mt-4 grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[6rem_minmax(0,1fr)]">
      {nextTimes.length > 0 && watch === null && (
        <>
          <dt className="text-quiet">{schedulesWords.next}</dt>
          <dd>{nextTimes.map((at) => shortTime(at)).join(" · ")}</dd>
        </>
      )}
      <dt className="text-quiet">{schedulesWords.lastTasks}</dt>
      <dd>
        {lastRuns.length === 0 && <span className="text-quiet">{schedulesWords.noTasks}</span>}
        <ul className="grid grid-cols-1 gap-1.5">
          {lastRuns.map(({ id, createdAt, status, outcome }) => (
            <li key={id} className="flex flex-wrap items-center gap-2">
              <Link to="/runs/$runId" params={{ runId: id }}>
                {shortTime(createdAt)}
              </Link>
              <StatusBadge status={shownStatus({ status, outcome, notDone: 0, waitsFor: null })} />
            </li>
          ))}
        </ul>
        {skipped && (
          <p className="mt-1 text-quiet">
            {schedulesWords.skipped(shortTime(skipped.at), skipText(skipped.reason))}
          </p>
        )}
      </dd>
    </dl>
  );
}
