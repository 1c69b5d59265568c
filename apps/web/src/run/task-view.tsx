import { isTerminal, type RunView } from "@bron/protocol";
import { useMemo } from "react";
import { texts } from "../texts.ts";
import { usePlaceGone } from "../live/use-place-gone.ts";
import { useWide } from "../ui/use-wide.ts";
import { FinalMessage } from "./final-message.tsx";
import { Asks } from "./asks.tsx";
import { useGroupedItems } from "./approval-groups.ts";
import { DemoExamples, isIntroduction } from "./demo-examples.tsx";
import { DraftResult } from "./draft-result.tsx";
import { FileCard } from "./file-card.tsx";
import type { FileItem, WordsItem } from "./item.ts";
import { LiveSteps } from "./live-steps.tsx";
import { Markdown } from "./markdown.tsx";
import { OwnerWords } from "./owner-words.tsx";
import { PlaceNotice } from "./place-notice.tsx";
import { TaskColumns } from "./task-columns.tsx";
import { TaskEnd } from "./task-end.tsx";
import { sectionsOf } from "./task-sections.ts";
import { Thoughts } from "./thoughts.tsx";
import { Timeline } from "./timeline.tsx";
import type { Timeline as TaskTimeline } from "./timeline.ts";
import { useOpenWork } from "./use-open-work.ts";
import { Working } from "./working.tsx";
import { WorkLog } from "./work-log.tsx";

interface TaskViewProps {
  readonly run: RunView;
  readonly timeline: TaskTimeline;
  /** The latest progress text of each running tool call, by action id. */
  readonly progress: ReadonlyMap<string, string>;
  readonly partialText?: string;
  readonly thoughts?: string;
  /** Everything that was in the log when the page opened has arrived. */
  readonly isCaughtUp: boolean;
  readonly isLast: boolean;
  onAsked(element: HTMLElement): void;
}

/** A task: the owner's words, the answer with its files, and the work folded below. */
export function TaskView({ partialText = "", thoughts = "", ...props }: TaskViewProps) {
  const { run, timeline, progress, isCaughtUp, isLast, onAsked } = props;
  const isOver = isTerminal(timeline.status);
  const { items, groups } = useGroupedItems(timeline);
  const sections = useMemo(() => sectionsOf(items, isOver), [items, isOver]);
  const { words, attached, attachedLater, answer, files, drafts, asks, steps, calls } = sections;
  const work = useOpenWork(run.id);
  const isWide = useWide();
  const [task, ...later] = words;
  const waiting = later.filter(({ isWaiting }) => isWaiting === true && !isOver);
  const log = (
    <WorkLog
      run={run}
      timeline={timeline}
      stepCount={calls.length}
      isOpen={work.isOpen}
      onToggle={work.toggle}
    >
      <Timeline
        runId={run.id}
        timeline={timeline}
        items={steps}
        groups={groups}
        progress={progress}
        isCaughtUp={isCaughtUp}
      />
    </WorkLog>
  );
  const activity = (
    <>
      {log}
      {!work.isOpen && <LiveSteps runId={run.id} calls={calls} items={steps} progress={progress} />}
    </>
  );
  return (
    <TaskColumns activity={isWide ? activity : undefined} isEven={work.isOpen}>
      {task && <OwnerWords item={task} runId={run.id} files={attached} />}
      <Words
        runId={run.id}
        items={later.filter((item) => !waiting.includes(item))}
        files={attachedLater}
      />
      {isOver ? (
        <>
          {answer !== undefined && <FinalMessage text={answer} />}
          <TaskEnd run={run} items={items} isLast={isLast} />
          {isLast && isIntroduction(run, calls.length) && <DemoExamples run={run} />}
        </>
      ) : (
        <div className="grid gap-2">
          {run.place !== null && <PlaceNotice run={run} place={run.place} />}
          {!isWide && activity}
        </div>
      )}
      <Asks
        runId={run.id}
        timeline={timeline}
        items={asks}
        groups={groups}
        isCaughtUp={isCaughtUp}
        onAsked={onAsked}
      />
      {isOver &&
        drafts.map((draft) => (
          <DraftResult key={draft.draftId} draft={draft} run={run} canSend={isLast} />
        ))}
      <Files files={files} />
      {isOver ? (
        !isWide && log
      ) : (
        <Writing run={run} timeline={timeline} partialText={partialText} thoughts={thoughts} />
      )}
      <Words runId={run.id} items={waiting} files={attachedLater} />
    </TaskColumns>
  );
}

function Words({
  runId,
  items,
  files,
}: {
  readonly runId: string;
  readonly items: readonly WordsItem[];
  readonly files: ReadonlyMap<string, readonly FileItem[]>;
}) {
  return items.map((item) => (
    <OwnerWords key={item.key} item={item} runId={runId} files={files.get(item.key) ?? []} />
  ));
}

function Files({ files }: { readonly files: readonly FileItem[] }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label={texts.run.files} className="flex flex-wrap gap-2">
      {files.map((file) => (
        <li key={file.key} className="max-w-full min-w-0">
          <FileCard file={file} />
        </li>
      ))}
    </ul>
  );
}

/** What the model thinks and writes now, or that it works. */
function Writing({
  run,
  timeline,
  partialText,
  thoughts,
}: Required<Pick<TaskViewProps, "run" | "timeline" | "partialText" | "thoughts">>) {
  const { isGone } = usePlaceGone(run);
  return (
    <>
      {thoughts !== "" && <Thoughts text={thoughts} />}
      {partialText !== "" && (
        <div role="group" aria-label={texts.run.typing} className="answer is-typing">
          <Markdown text={partialText} />
        </div>
      )}
      {partialText === "" && thoughts === "" && !isGone && (
        <Working runId={run.id} timeline={timeline} />
      )}
    </>
  );
}
