import { isTerminal, webStatusOf } from "@bron/protocol";
import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { Link, useParams } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { isRunning } from "./story.ts";
import { RetryButton } from "./retry-button.tsx";
import { TimelineItem } from "./timeline-item.tsx";
import { useRun } from "./use-run.ts";

export function RunPage() {
  const { runId } = useParams({ from: "/runs/$runId" });
  return <OneRun key={runId} runId={runId} />;
}

function OneRun({ runId }: { readonly runId: string }) {
  const { story, saying, isCut, error } = useRun(runId);
  const [stopError, setStopError] = useState<string>();
  const stop = () => {
    setStopError(undefined);
    api.runs.cancel(runId).catch((failure: unknown) => setStopError(failure instanceof Error ? failure.message : String(failure)));
  };
  const status = webStatusOf[story.status];
  useEffect(() => {
    document.title = `${texts.status[status]} · ${texts.name}`;
    return () => {
      document.title = texts.name;
    };
  }, [status]);
  return (
    <article className="run mx-auto w-full max-w-3xl px-4 py-6 sm:px-6" aria-busy={isRunning(story)}>
      <div className="row">
        <Link to="/">{texts.back}</Link>
        <span className={`state ${status}`} role="status">
          {texts.status[status]}
        </span>
        {!isTerminal(story.status) && (
          <button type="button" disabled={story.cancelRequested} onClick={stop}>
            {story.cancelRequested ? texts.stopping : texts.stop}
          </button>
        )}
        {(story.status === "failed" || story.status === "canceled") && <RetryButton runId={runId} />}
      </div>
      {isCut && (
        <p className="banner" role="status">
          {texts.reconnecting}
        </p>
      )}
      {error !== undefined && <p role="alert">{error}</p>}
      {stopError !== undefined && <p role="alert">{`${texts.notStopped} ${stopError}`}</p>}
      {story.seq === 0 && error === undefined && <p className="quiet">{texts.loading}</p>}
      <ol className="timeline">
        {story.items.map((item) => (
          <TimelineItem key={`${item.kind}-${item.key}`} item={item} runStatus={story.status} />
        ))}
        {saying !== "" && <li className="answer saying">{saying}</li>}
        {isRunning(story) && saying === "" && <li className="quiet working">{texts.thinking}</li>}
      </ol>
    </article>
  );
}
