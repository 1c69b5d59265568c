import { visible } from "@bron/protocol";
import { useContext, useRef } from "react";
import { Markdown } from "./markdown.tsx";
import { twoColumns } from "./columns.ts";
import { OwnerWords } from "./owner-words.tsx";
import { PassageContext } from "./passage.ts";
import { Problem } from "../ui/states.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import type { TaskProps } from "./task-props.ts";
import { TaskView } from "./task-view.tsx";
import { useNearScreen } from "./use-near-screen.ts";
import { usePastRun } from "./use-past-run.ts";

const noProgress: ReadonlyMap<string, string> = new Map();

/**
 * A task that had ended when the page opened. Its words and its answer are known at once. Its log is
 * read when it comes near the screen.
 */
export function PastTask({ run, isLast, onAsked }: TaskProps) {
  const place = useRef<HTMLDivElement>(null);
  const hasPassage = useContext(PassageContext).run === run.id;
  const isNear = useNearScreen(place) || isLast || hasPassage;
  const { timeline, error, retry } = usePastRun(run, isNear);
  if (timeline)
    return (
      <TaskView
        run={run}
        timeline={timeline}
        progress={noProgress}
        isCaughtUp
        isLast={isLast}
        onAsked={onAsked}
      />
    );
  return (
    <div ref={place} className={twoColumns}>
      <div className="grid min-w-0 gap-5">
        <OwnerWords item={{ text: visible(run.prompt) }} runId={run.id} />
        {run.summary === null ? (
          <Skeleton lines={3} />
        ) : (
          <div className="answer" aria-busy="true">
            <Markdown text={visible(run.summary)} />
          </div>
        )}
        <Problem error={error} onRetry={retry} />
      </div>
    </div>
  );
}
