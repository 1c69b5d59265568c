import { ClientError, type ConnectionState } from "@bron/client";
import { isTerminal, visible, type RunView, type ThreadView } from "@bron/protocol";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { conversationWidth } from "../run/columns.ts";
import { PassageContext } from "../run/passage.ts";
import { ConnectionContext } from "../run/task-connection.ts";
import { Task } from "../run/task.tsx";
import { UnfoldedContext, useUnfoldedState } from "../run/unfolded.ts";
import { usePageAnchor } from "../run/use-page-anchor.ts";
import { texts } from "../texts.ts";
import { threadsWords } from "../words/threads.ts";
import { describeRunState } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { useTitle } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Problem } from "../ui/states.tsx";
import { MissingPage } from "../ui/missing-page.tsx";
import { ThreadFooter } from "./thread-footer.tsx";
import { ThreadHeader } from "./thread-header.tsx";
import { useThread } from "./use-thread.ts";

/** A conversation with one Bron. */
export function ThreadPage() {
  const { threadId } = useParams({ from: "/threads/$threadId" });
  const { task } = useSearch({ from: "/threads/$threadId" });
  const { thread, isComplete, error, ...loaded } = useThread(threadId, task);
  const [last] = loaded.runs.slice(-1);
  if (ClientError.is(error, "not_found")) return <MissingPage title={threadsWords.missing} />;
  if (!thread || !isComplete || !last)
    return (
      <div className={cx(conversationWidth, "py-10")}>
        <Problem error={error} />
        {error === null && <Skeleton lines={6} />}
      </div>
    );
  return <OpenThread key={threadId} thread={thread} last={last} {...loaded} />;
}

interface OpenThreadProps extends Omit<
  ReturnType<typeof useThread>,
  "thread" | "isComplete" | "error"
> {
  readonly thread: ThreadView;
  readonly last: RunView;
}

function OpenThread({
  thread,
  last,
  runs,
  hasEarlier,
  isLoadingEarlier,
  loadEarlier,
}: OpenThreadProps) {
  const { task = last.id, ...passage } = useSearch({ from: "/threads/$threadId" });
  const navigate = useNavigate();
  const [connection, setConnection] = useState<ConnectionState>("live");
  const unfolded = useUnfoldedState();
  const isOver = isTerminal(last.status);
  const isAtEnd = task === last.id && !isOver && passage.step === undefined;
  const { content, isAway, setAnchor, lookAt, leaveEndFor } = usePageAnchor(
    isAtEnd ? "end" : { id: placeOf(task) },
  );
  const { step, find, after } = passage;
  const linked = useMemo(
    () => (step === undefined ? { run: task } : { run: task, step, find, after }),
    [task, step, find, after],
  );
  useTitle(visible(thread.title), last.waitsFor && describeRunState(last));
  useEffect(() => document.getElementById("run-title")?.focus({ preventScroll: true }), []);
  useEffect(() => {
    if (isOver) leaveEndFor(placeOf(last.id));
  }, [isOver, last.id, leaveEndFor]);
  const onStarted = () => {
    setAnchor("end");
    void navigate({ to: "/threads/$threadId", params: { threadId: thread.id }, replace: true });
  };
  return (
    <article className="flex flex-1 flex-col" aria-busy={!isOver && last.waitsFor === null}>
      <ThreadHeader thread={thread} last={last} connection={connection} />
      <div ref={content} className={cx(conversationWidth, "flex-1 pt-5 pb-8")}>
        {hasEarlier && (
          <div className="mb-6 text-center">
            <Button isBusy={isLoadingEarlier} onClick={loadEarlier}>
              {isLoadingEarlier ? texts.loading : threadsWords.showEarlier}
            </Button>
          </div>
        )}
        <ConnectionContext value={setConnection}>
          <UnfoldedContext value={unfolded}>
            <PassageContext value={linked}>
              <ol aria-label={threadsWords.messages} className="grid grid-cols-1 gap-10">
                {runs.map((run) => (
                  <li key={run.id} id={placeOf(run.id)} data-task className="min-w-0">
                    <Task run={run} isLast={run.id === last.id} onAsked={lookAt} />
                  </li>
                ))}
              </ol>
            </PassageContext>
          </UnfoldedContext>
        </ConnectionContext>
      </div>
      <ThreadFooter
        thread={thread}
        last={last}
        isAway={isAway && last.waitsFor === null}
        onStarted={onStarted}
        onToEnd={() => setAnchor("end")}
      />
    </article>
  );
}

function placeOf(runId: string): string {
  return `task-${runId}`;
}
