import { visible, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { RunBadge } from "../ui/badge.tsx";

/** Other tasks of the same conversation, among the Bron's 50 latest. */
export function ThreadLinks({
  run,
  where,
}: {
  readonly run: RunView;
  readonly where: "before" | "after";
}) {
  const { data: runs = [] } = useQuery(queries.runs({ bronId: run.bronId, limit: 50 }));
  const others = runs
    .filter(
      (other) =>
        other.threadId === run.threadId &&
        (where === "before" ? other.createdAt < run.createdAt : other.createdAt > run.createdAt),
    )
    .toReversed();
  if (others.length === 0) return null;
  const title = where === "before" ? texts.run.earlier : texts.run.later;
  return (
    <nav aria-label={title} className="mt-4 rounded-xl border border-edge px-4 py-3 text-sm">
      <p className="mb-1 text-quiet">{title}</p>
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
    </nav>
  );
}
