import { isTerminal } from "@bron/protocol";
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { isRunning, type Timeline } from "./timeline.ts";

/** Says that the task is working, or links to a subtask that needs the owner. */
export function Working({ timeline }: { readonly timeline: Timeline }) {
  const open = timeline.items.flatMap((item) =>
    item.kind === "child" && !isTerminal(item.status) ? [item.runId] : [],
  );
  const children = useQueries({ queries: open.map((id) => queries.run(id)) });
  const waiting = children.find(
    ({ data }) => data && texts.run.subtaskNeeds[data.status] !== undefined,
  )?.data;
  // The step says which program it waits for.
  if (!waiting)
    return (
      isRunning(timeline) &&
      !waitsForProgram(timeline) && (
        <p className="animate-pulse pl-10 text-quiet">{texts.working}</p>
      )
    );
  return (
    <p role="status" className="pl-10">
      <Link to="/runs/$runId" params={{ runId: waiting.id }}>
        {texts.run.subtaskNeeds[waiting.status]}
      </Link>
    </p>
  );
}

function waitsForProgram({ items }: Timeline): boolean {
  const running = items.filter((item) => item.kind === "tool" && item.state === "running");
  return running.length > 0 && running.every((item) => "client" in item);
}
