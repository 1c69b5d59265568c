import { ClientError } from "@bron/client";
import { isTerminal, visible, waitKinds, type WaitsFor } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Composer } from "../home/composer.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { describeRunState } from "../ui/badge.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Page, useTitle } from "../ui/page.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { Markdown } from "./markdown.tsx";
import { PassageContext } from "./passage.ts";
import { RunHeader } from "./run-header.tsx";
import { hasChildren, isRunning } from "./timeline.ts";
import { waitOf } from "./wait-of.ts";
import { ThreadLinks } from "../threads/thread-links.tsx";
import { Thoughts } from "./thoughts.tsx";
import { Timeline } from "./timeline.tsx";
import { usePlaceGone } from "../live/use-place-gone.ts";
import { UnfoldedContext, useUnfoldedState } from "./unfolded.ts";
import { useRun, type LiveRun } from "./use-run.ts";
import { Working } from "./working.tsx";

export function RunPage() {
  const { runId } = useParams({ from: "/runs/$runId" });
  return <OneRun key={runId} runId={runId} />;
}

/** What the run waits for, or else its child runs. */
function useWait(runId: string, timeline: LiveRun["timeline"]): WaitsFor | null {
  const { data: children = [] } = useQuery({
    ...queries.children(runId),
    enabled: hasChildren(timeline),
  });
  if (isTerminal(timeline.status)) return null;
  return (
    waitOf(timeline) ??
    children.flatMap((child) => child.waitsFor ?? []).toSorted(byUrgency)[0] ??
    null
  );
}

const byUrgency = (a: WaitsFor, b: WaitsFor) =>
  waitKinds.indexOf(a.kind) - waitKinds.indexOf(b.kind);

function OneRun({ runId }: { readonly runId: string }) {
  const { error } = useQuery(queries.run(runId));
  return ClientError.is(error, "not_found") ? <RunNotFound /> : <KnownRun runId={runId} />;
}

function RunNotFound() {
  return (
    <Page title={texts.run.none} about={texts.run.noneHint}>
      <Link to="/" className={buttonClass("main")}>
        {texts.goHome}
      </Link>
    </Page>
  );
}

function KnownRun({ runId }: { readonly runId: string }) {
  const { timeline, partialText, thoughts, progress, connection, error } = useRun(runId);
  const { data: run, isPending, isFetching } = useQuery(queries.run(runId));
  const [wasFinished, setWasFinished] = useState<boolean>();
  if (run && wasFinished === undefined) setWasFinished(isTerminal(run.status));
  const [firstEnd, setFirstEnd] = useState<number>();
  if (!isFetching && firstEnd === undefined) setFirstEnd(run?.lastSeq ?? 0);
  const waitsFor = useWait(runId, timeline);
  useTitle(
    run ? visible(run.title) : texts.run.title,
    waitsFor && describeRunState({ status: timeline.status, notDone: 0, waitsFor }),
  );
  useEffect(() => document.getElementById("run-title")?.focus({ preventScroll: true }), []);
  const isFinished = isTerminal(timeline.status);
  const { isGone } = usePlaceGone(run);
  const unfolded = useUnfoldedState();
  const passage = useSearch({ from: "/runs/$runId" });
  return (
    <article
      className="mx-auto w-full max-w-3xl px-4 pb-24 sm:px-6"
      aria-busy={isRunning(timeline)}
    >
      <RunHeader
        timeline={timeline}
        run={run}
        runId={runId}
        waitsFor={waitsFor}
        connection={connection}
      />
      <Problem error={error} />
      {run && <ThreadLinks run={run} where="before" />}
      {timeline.seq === 0 && error === undefined && <Loading />}
      <div className="mt-6">
        {timeline.seq > 0 && !isPending && (
          <UnfoldedContext value={unfolded}>
            <PassageContext value={passage}>
              <Timeline
                runId={runId}
                timeline={timeline}
                progress={progress}
                isCaughtUp={firstEnd !== undefined && timeline.seq >= firstEnd}
                tail={`${partialText.length} ${thoughts !== ""} ${isFinished}`}
                startsAtEnd={wasFinished !== true && passage.step === undefined}
              />
            </PassageContext>
          </UnfoldedContext>
        )}
      </div>
      {thoughts !== "" && <Thoughts text={thoughts} />}
      {partialText !== "" && (
        <div
          aria-label={texts.run.typing}
          role="group"
          className="pl-10 after:text-quiet after:content-['▍']"
        >
          <Markdown text={partialText} />
        </div>
      )}
      {timeline.seq > 0 && !isFinished && partialText === "" && thoughts === "" && !isGone && (
        <Working runId={runId} timeline={timeline} />
      )}
      {run && isFinished && <ThreadLinks run={run} where="after" />}
      {run && timeline.seq > 0 && (
        <div className="mt-6 sm:pl-10">
          <Composer
            suggestions={[]}
            bronId={run.bronId}
            threadId={run.threadId}
            runUnderWay={isFinished ? undefined : runId}
            label={isFinished ? texts.run.reply : texts.run.say}
            placeholder={isFinished ? texts.run.replyPlaceholder : texts.run.sayPlaceholder}
          />
        </div>
      )}
    </article>
  );
}
