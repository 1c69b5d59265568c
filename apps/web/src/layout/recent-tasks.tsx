import { shownStatus, visible, type ShownStatus } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { recentConversations } from "./recent-conversations.ts";

/** A dot needs no more than to say whether someone has to look. */
const dots: Partial<Readonly<Record<ShownStatus, string>>> = {
  running: "animate-pulse bg-accent",
  queued: "animate-pulse bg-accent",
  needs_approval: "bg-ask-edge",
  needs_answer: "bg-ink",
  needs_auth: "bg-ink",
};

/** The latest conversations, below the menu entry for all tasks. */
export function RecentTasks() {
  const { data: runs = [] } = useQuery(queries.runs({ limit: 30 }));
  const recent = recentConversations(runs);
  if (recent.length === 0) return null;
  return (
    <ul
      aria-label={texts.shell.recent}
      className="mt-0.5 mb-1 ml-5 grid grid-cols-1 border-l border-edge pl-2"
    >
      {recent.map((run) => {
        const status = shownStatus(run);
        return (
          <li key={run.threadId}>
            <Link
              to="/threads/$threadId"
              params={{ threadId: run.threadId }}
              className="flex min-h-8 items-center gap-2 rounded-md px-2 text-[0.8125rem] text-quiet no-underline transition-colors hover:bg-raised hover:text-ink"
              activeProps={{ className: "bg-raised !text-ink", "aria-current": "page" }}
            >
              <span className="truncate">{visible(run.title)}</span>
              {dots[status] !== undefined && (
                <span
                  role="img"
                  aria-label={texts.status[status]}
                  title={texts.status[status]}
                  className={cx("ml-auto size-2 shrink-0 rounded-full", dots[status])}
                />
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
