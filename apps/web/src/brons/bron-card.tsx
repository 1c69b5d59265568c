import { visible, type BronView } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { bronsWords } from "../words/brons.ts";
import { Ago } from "../time.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { RunBadge, StatusBadge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { cardLine } from "../words/tools.ts";

/**
 * One Bron at a glance. The card links to its page; other links and buttons lie above that link.
 */
export function BronCard({ bron, onNewTask }: { readonly bron: BronView; onNewTask(): void }) {
  const { id, name, avatarColor, status, latestRun, latestCard, pendingApprovals, lastActivityAt } =
    bron;
  return (
    <li className="relative flex min-w-0 flex-col gap-4 rounded-xl border border-edge bg-surface p-4 transition-colors hover:border-accent sm:p-5">
      <div className="flex items-center gap-3">
        <Avatar name={name} color={avatarColor} />
        <div className="min-w-0 flex-1">
          <h2 className="m-0 truncate text-base font-semibold">
            <Link
              to="/brons/$bronId"
              params={{ bronId: id }}
              className="text-ink no-underline after:absolute after:inset-0 after:rounded-xl"
            >
              {visible(name)}
            </Link>
          </h2>
          <p className="text-sm text-quiet">
            {bronsWords.lastActivity} <Ago at={lastActivityAt} />
          </p>
        </div>
        {status !== "idle" && latestRun ? (
          <RunBadge run={latestRun} />
        ) : (
          <StatusBadge status={status} />
        )}
      </div>
      {latestRun === null ? (
        <p className="text-sm text-quiet">{bronsWords.noTask}</p>
      ) : (
        <div className="grid min-w-0 gap-1 text-sm">
          <Link
            to="/runs/$runId"
            params={{ runId: latestRun.id }}
            className="relative z-10 truncate text-ink underline decoration-edge hover:decoration-current"
          >
            {visible(latestRun.title)}
          </Link>
          {latestCard !== null && (
            <p className="truncate text-quiet">{visible(cardLine(latestCard))}</p>
          )}
        </div>
      )}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2">
        {pendingApprovals > 0 ? (
          <Link
            to="/approvals"
            className="relative z-10 rounded-full border border-ask-edge bg-ask px-3 py-1 text-sm font-medium text-ink no-underline hover:underline"
          >
            {bronsWords.pending(pendingApprovals)}
          </Link>
        ) : (
          <span />
        )}
        <Button
          className="relative z-10"
          aria-label={bronsWords.newTaskFor(visible(name))}
          onClick={onNewTask}
        >
          {bronsWords.newTask}
        </Button>
      </div>
    </li>
  );
}
