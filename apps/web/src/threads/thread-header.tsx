import type { ConnectionState } from "@bron/client";
import { visible, type RunView, type ThreadView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRoomAtTop } from "../edges.ts";
import { queries } from "../live/queries.ts";
import { usePlaceGone } from "../live/use-place-gone.ts";
import { conversationWidth } from "../run/columns.ts";
import { ConnectionTag } from "../run/connection-tag.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { RunBadge } from "../ui/badge.tsx";
import { BackToTasks } from "../layout/back-to-tasks.tsx";
import { cx } from "../ui/cx.ts";
import { ThreadMenu } from "./thread-menu.tsx";

interface ThreadHeaderProps {
  readonly thread: ThreadView;
  readonly last: RunView;
  readonly connection: ConnectionState;
}

/** Stays at the top of the page: the conversation, its Bron, its state and its menu. */
export function ThreadHeader({ thread, last, connection }: ThreadHeaderProps) {
  const header = useRoomAtTop();
  const { data: bron } = useQuery(queries.bron(thread.bronId));
  const { isGone } = usePlaceGone(last);
  const isWorking = last.finishedAt === null && last.waitsFor === null && !isGone;
  return (
    <header
      ref={header}
      className="sticky top-0 z-10 border-b border-edge bg-ground/95 backdrop-blur"
    >
      <div className={cx(conversationWidth, "flex items-center gap-3 py-2 sm:py-2.5")}>
        <BackToTasks />
        {bron && <Avatar name={bron.name} color={bron.avatarColor} size="sm" />}
        <div className="min-w-0 flex-1">
          <h1
            id="run-title"
            tabIndex={-1}
            title={visible(thread.title)}
            className="line-clamp-2 text-base leading-snug wrap-anywhere font-semibold tracking-tight outline-none"
          >
            {visible(thread.title)}
          </h1>
          <div className="flex items-center gap-2">
            {bron && (
              <Link
                to="/brons/$bronId"
                params={{ bronId: bron.id }}
                className="block min-w-0 truncate text-sm text-quiet no-underline hover:text-ink hover:underline"
              >
                {visible(bron.name)}
              </Link>
            )}
            <ConnectionTag state={connection} />
            <span role="status" tabIndex={-1} className="shrink-0 rounded-full outline-none">
              <RunBadge run={last} />
            </span>
          </div>
        </div>
        <ThreadMenu thread={thread} last={last} />
      </div>
      <div aria-hidden="true" className={cx("progress-line", !isWorking && "invisible")} />
    </header>
  );
}
