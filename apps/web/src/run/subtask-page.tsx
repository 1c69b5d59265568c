import type { ConnectionState } from "@bron/client";
import { isTerminal, visible, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { useRoomAtEnd, useRoomAtTop } from "../edges.ts";
import { Composer } from "../home/composer.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { describeRunState, RunBadge } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";
import { useTitle } from "../ui/page.tsx";
import { conversationWidth, twoColumns } from "./columns.ts";
import { ConnectionTag } from "./connection-tag.tsx";
import { PassageContext } from "./passage.ts";
import { StopButton } from "./stop-button.tsx";
import { ConnectionContext } from "./task-connection.ts";
import { Task } from "./task.tsx";
import { UnfoldedContext, useUnfoldedState } from "./unfolded.ts";
import { usePageAnchor } from "./use-page-anchor.ts";

const place = "task";

/** The page of a child run. Its task comes from another run, so there is no conversation. */
export function SubtaskPage({ run }: { readonly run: RunView }) {
  const header = useRoomAtTop();
  const footer = useRoomAtEnd();
  const [connection, setConnection] = useState<ConnectionState>("live");
  const unfolded = useUnfoldedState();
  const passage = useSearch({ from: "/runs/$runId" });
  const linked = useMemo(() => ({ run: run.id, ...passage }), [run.id, passage]);
  const isOver = isTerminal(run.status);
  const { content, lookAt } = usePageAnchor(isOver ? { id: place } : "end");
  useTitle(visible(run.title), run.waitsFor && describeRunState(run));
  useEffect(() => document.getElementById("run-title")?.focus({ preventScroll: true }), []);
  return (
    <article className="flex flex-1 flex-col" aria-busy={!isOver && run.waitsFor === null}>
      <header
        ref={header}
        className="sticky top-0 z-10 border-b border-edge bg-ground/95 backdrop-blur"
      >
        <div className={cx(conversationWidth, "flex items-center gap-3 py-2.5")}>
          <div className="min-w-0 flex-1">
            <h1
              id="run-title"
              tabIndex={-1}
              className="line-clamp-2 text-base leading-snug font-semibold tracking-tight outline-none wrap-anywhere"
            >
              {visible(run.title)}
            </h1>
            {run.parentRunId !== null && <ParentLink runId={run.parentRunId} />}
          </div>
          <ConnectionTag state={connection} />
          <span role="status" tabIndex={-1} className="shrink-0 rounded-full outline-none">
            <RunBadge run={run} />
          </span>
        </div>
      </header>
      <div ref={content} className={cx(conversationWidth, "flex-1 pt-5 pb-8")}>
        <ConnectionContext value={setConnection}>
          <UnfoldedContext value={unfolded}>
            <PassageContext value={linked}>
              <div id={place}>
                <Task run={run} isLast onAsked={lookAt} />
              </div>
            </PassageContext>
          </UnfoldedContext>
        </ConnectionContext>
      </div>
      {!isOver && (
        <footer ref={footer} className="sticky bottom-0 z-10 bg-ground print:hidden">
          <div className={cx(conversationWidth, twoColumns, "pb-3 sm:pb-4")}>
            <Composer
              suggestions={[]}
              bronId={run.bronId}
              threadId={run.threadId}
              runUnderWay={run.id}
              label={texts.run.say}
              placeholder={texts.run.sayPlaceholder}
              actions={<StopButton runId={run.id} isStopping={run.cancelRequested} />}
            />
          </div>
        </footer>
      )}
    </article>
  );
}

function ParentLink({ runId }: { readonly runId: string }) {
  const { data: parent } = useQuery(queries.run(runId));
  return (
    <p className="truncate text-sm text-quiet">
      <Link to="/runs/$runId" params={{ runId }}>
        {parent ? texts.run.subtaskOf(visible(parent.title)) : texts.run.subtaskOfAnother}
      </Link>
    </p>
  );
}
