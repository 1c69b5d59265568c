import { isTerminal } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../live/queries.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { Problem } from "../ui/states.tsx";
import { OwnerWords } from "./owner-words.tsx";
import type { TaskProps } from "./task-props.ts";
import { TaskView } from "./task-view.tsx";
import { useFocusOnEnd } from "./use-focus-on-end.ts";
import { useReportedConnection } from "./task-connection.ts";
import { useRun } from "./use-run.ts";

/** A task at work, and after its end for as long as the page stays open. */
export function LiveTask({ run, isLast, onAsked }: TaskProps) {
  const { timeline, partialText, thoughts, progress, connection, error } = useRun(run.id);
  const { data: fresh, isFetching } = useQuery(queries.run(run.id));
  const [firstEnd, setFirstEnd] = useState<number>();
  if (!isFetching && firstEnd === undefined) setFirstEnd(fresh?.lastSeq ?? 0);
  useReportedConnection(connection);
  const task = useFocusOnEnd(isTerminal(timeline.status));
  return (
    <div ref={task}>
      <Problem error={error} />
      {timeline.seq === 0 ? (
        <div className="grid gap-5">
          <OwnerWords item={{ text: run.prompt }} runId={run.id} />
          {error === undefined && <Skeleton lines={2} />}
        </div>
      ) : (
        <TaskView
          run={fresh ?? run}
          timeline={timeline}
          progress={progress}
          partialText={partialText}
          thoughts={thoughts}
          isCaughtUp={firstEnd !== undefined && timeline.seq >= firstEnd}
          isLast={isLast}
          onAsked={onAsked}
        />
      )}
    </div>
  );
}
