import { visible, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { RunBadge } from "../ui/badge.tsx";

/** The conversation of a task, with links to its tasks before or after this one. */
export function ThreadLinks({
  run,
  where,
}: {
  readonly run: RunView;
  readonly where: "before" | "after";
}) {
  // The thread of a subtask is no conversation.
  const { data: thread } = useQuery({
    ...queries.thread(run.threadId),
    enabled: run.parentRunId === null,
  });
  if (!thread) return null;
  const others = thread.runs.filter((other) =>
    where === "before" ? other.createdAt < run.createdAt : other.createdAt > run.createdAt,
  );
  const isNamed = where === "before" && thread.title !== run.title;
  if (others.length === 0 && !isNamed) return null;
  const label = where === "before" ? texts.threads.earlier : texts.threads.later;
  return (
    <nav aria-label={label} className="mt-4 rounded-xl border border-edge px-4 py-3 text-sm">
      {where === "before" && (
        <p className="truncate text-quiet">
          {texts.threads.belongsTo}: <Link to="/threads">{visible(thread.title)}</Link>
        </p>
      )}
      {others.length > 0 && (
        <>
          <p className="mt-1 mb-1 text-quiet">{label}</p>
          <ul className="grid gap-1">
            {others.map((other) => (
              <li key={other.id} className="flex items-center gap-2">
                <Link to="/runs/$runId" params={{ runId: other.id }} className="truncate">
                  {visible(other.title)}
                </Link>
                <RunBadge run={other} />
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  );
}
