import { visible, type ThreadView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Icon } from "../layout/icon.tsx";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Ago } from "../time.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { Found } from "./found.tsx";
import { TaskState } from "./task-state.tsx";

interface TaskRowProps {
  readonly thread: ThreadView;
  /** The words of the search. */
  readonly words?: string;
  readonly menu?: ReactNode;
}

/** A conversation in a list. The whole row opens it; `data-row` is for the keys j and k. */
export function TaskRow({ thread, words = "", menu }: TaskRowProps) {
  const { id, bronId, latestRun, pinnedAt, runCount, snippet, updatedAt } = thread;
  const { data: brons = [] } = useQuery(queries.brons());
  const bron = brons.find((one) => one.id === bronId);
  return (
    <li className="relative flex items-center gap-3 px-3 py-2.5 transition-colors first:rounded-t-xl last:rounded-b-xl hover:bg-raised has-[[data-row]:focus-visible]:bg-raised sm:px-4">
      <span title={bron && visible(bron.name)} className="shrink-0">
        <Avatar name={bron?.name ?? ""} color={bron?.avatarColor ?? "#888888"} size="sm" />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <Link
            to="/threads/$threadId"
            params={{ threadId: id }}
            data-row
            className="line-clamp-2 min-w-0 font-medium wrap-anywhere text-ink no-underline outline-none after:absolute after:inset-0 after:rounded-[inherit] focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            <Found text={visible(thread.title)} words={words} />
          </Link>
          {pinnedAt !== null && (
            <span
              title={texts.tasks.pinned}
              className="shrink-0 self-center text-quiet [&>svg]:size-3.5"
            >
              <Icon path={pinIcon} />
              <span className="sr-only">{texts.tasks.pinned}</span>
            </span>
          )}
        </div>
        <p className="mt-0.5 flex min-w-0 items-center gap-2 text-sm text-quiet">
          <TaskState thread={thread} />
          {/* The state is that of the newest message, not of the first one, which is the title. */}
          {runCount > 1 && (
            <span className="truncate">{texts.tasks.latest(visible(latestRun.title))}</span>
          )}
        </p>
        {snippet !== null && (
          <p className="mt-1 line-clamp-2 text-sm wrap-anywhere text-quiet">
            <Found text={visible(snippet)} words={words} />
          </p>
        )}
      </div>
      <span className="shrink-0 text-xs whitespace-nowrap text-quiet">
        <Ago at={updatedAt} />
      </span>
      {menu !== undefined && <span className="relative -mr-2 shrink-0">{menu}</span>}
    </li>
  );
}

const pinIcon = "M9 4h6l-1 6 3 3v2H7v-2l3-3ZM12 15v6";
