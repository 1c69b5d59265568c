import { isTerminal, visible, type ThreadView } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { RunBadge } from "../ui/badge.tsx";
import { Button, buttonClass } from "../ui/button.tsx";

interface ThreadRowProps {
  readonly thread: ThreadView;
  onRename(): void;
  onDelete(): void;
}

/** The title opens the conversation. */
export function ThreadRow({ thread, onRename, onDelete }: ThreadRowProps) {
  const { id, runCount, updatedAt } = thread;
  const title = visible(thread.title);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 sm:flex-nowrap">
      <div className="min-w-0 flex-1 basis-full sm:basis-0">
        <Link
          to="/threads/$threadId"
          params={{ threadId: id }}
          className="block truncate font-medium text-ink no-underline hover:underline"
        >
          {title}
        </Link>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-quiet">
          <RunBadge run={stateOf(thread)} />
          <span>{texts.threads.tasks(runCount)}</span>
          <span>
            {texts.threads.active} <Ago at={updatedAt} />
          </span>
        </p>
      </div>
      <div className="-ml-3 flex shrink-0 items-center sm:ml-0">
        <Button kind="quiet" aria-label={texts.threads.renameOf(title)} onClick={onRename}>
          {texts.threads.rename}
        </Button>
        <a
          href={`/api/threads/${encodeURIComponent(id)}/export`}
          download
          title={texts.threads.exportHint}
          aria-label={texts.threads.exportOf(title)}
          className={buttonClass("quiet")}
        >
          {texts.threads.export}
        </a>
        <Button kind="quiet" aria-label={texts.threads.deleteOf(title)} onClick={onDelete}>
          {texts.threads.delete}
        </Button>
      </div>
    </li>
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
