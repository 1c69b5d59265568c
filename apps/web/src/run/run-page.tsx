import { ClientError } from "@bron/client";
import { isTerminal, visible } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Composer } from "../home/composer.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page, useTitle } from "../ui/page.tsx";
import { Loading, Problem } from "../ui/states.tsx";
import { ChildClientActions } from "./child-client-actions.tsx";
import { Markdown } from "./markdown.tsx";
import { RunHeader } from "./run-header.tsx";
import { isRunning } from "./timeline.ts";
import { ThreadLinks } from "./thread-links.tsx";
import { Thoughts } from "./thoughts.tsx";
import { Timeline } from "./timeline.tsx";
import { usePlaceGone } from "./use-place-gone.ts";
import { useRun } from "./use-run.ts";
import { Working } from "./working.tsx";

export function RunPage() {
  const { runId } = useParams({ from: "/runs/$runId" });
  return <OneRun key={runId} runId={runId} />;
}

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
  useTitle(run ? visible(run.title) : texts.run.title);
  useEffect(() => document.getElementById("run-title")?.focus({ preventScroll: true }), []);
  const isFinished = isTerminal(timeline.status);
  const { isGone } = usePlaceGone(run);
  return (
    <article
      className="mx-auto w-full max-w-3xl px-4 pb-24 sm:px-6"
      aria-busy={isRunning(timeline)}
    >
      <RunHeader timeline={timeline} run={run} runId={runId} connection={connection} />
      <Problem error={error} />
      {run && <ThreadLinks run={run} where="before" />}
      {timeline.seq === 0 && error === undefined && <Loading />}
      <div className="mt-6">
        {timeline.seq > 0 && !isPending && (
          <Timeline
            timeline={timeline}
            progress={progress}
            isCaughtUp={firstEnd !== undefined && timeline.seq >= firstEnd}
            tail={`${partialText.length} ${thoughts !== ""} ${isFinished}`}
            startsAtEnd={wasFinished !== true}
          />
        )}
      </div>
      {!isFinished && timeline.items.some(({ kind }) => kind === "child") && (
        <ChildClientActions runId={runId} />
      )}
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
        <Working timeline={timeline} />
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
