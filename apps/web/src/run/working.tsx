import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { hasChildren, isRunning, type Timeline } from "./timeline.ts";
import { waitOf } from "./wait-of.ts";

/** Says that the task is working, or links to a subtask that needs the owner. */
export function Working({
  runId,
  timeline,
}: {
  readonly runId: string;
  readonly timeline: Timeline;
}) {
  const { data: children = [] } = useQuery({
    ...queries.children(runId),
    enabled: hasChildren(timeline),
  });
  const waiting = children.find(({ waitsFor }) => waitsFor !== null);
  if (waiting?.waitsFor)
    return (
      <p role="status" className="sm:pl-10">
        <Link to="/runs/$runId" params={{ runId: waiting.id }}>
          {texts.run.subtaskWaits(waiting.waitsFor)}
        </Link>
      </p>
    );
  // The step says which program it waits for.
  return (
    isRunning(timeline) &&
    waitOf(timeline) === null && (
      <p className="animate-pulse text-quiet sm:pl-10">{texts.working}</p>
    )
  );
}
