import { isTerminal } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Loading, Problem } from "../ui/states.tsx";
import { useGroupedItems, type TimelineGroup } from "./approval-groups.ts";
import { Markdown } from "./markdown.tsx";
import type { Item } from "./item.ts";
import { Thoughts } from "./thoughts.tsx";
import { useRun } from "./use-run.ts";
import { Working } from "./working.tsx";

/** What a step needs to know about its run. */
export interface ItemSituation {
  readonly runId: string;
  /** For the card of several approvals. */
  readonly group?: TimelineGroup | undefined;
  /** The latest word of a running tool call. */
  readonly progress: string | undefined;
  /** The run is waiting for an account now. */
  readonly isWaitingForAccount: boolean;
  /** This status item is still current. */
  readonly isWaiting: boolean;
}

/** Passed down, because the steps of a child run may have child runs themselves. */
export type RenderItem = (item: Item, situation: ItemSituation) => ReactNode;

/** The page of the child run shows all of them. */
const maxSteps = 100;

interface ChildTimelineProps {
  readonly runId: string;
  readonly renderItem: RenderItem;
}

/** The steps of a child run, below its line on the page of its parent. */
export function ChildTimeline(props: ChildTimelineProps) {
  const [tries, setTries] = useState(0);
  return <LiveSteps key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function LiveSteps({
  runId,
  renderItem,
  onRetry,
}: ChildTimelineProps & { readonly onRetry: () => void }) {
  const { timeline, partialText, thoughts, progress, error } = useRun(runId);
  const { status, seq } = timeline;
  const { items, groups } = useGroupedItems(timeline);
  const lastWait = items.findLast(({ kind }) => kind === "status");
  const shown = items.slice(-maxSteps);
  const isFinished = isTerminal(status);
  return (
    <div className="mt-1 mb-2 border-l-2 border-edge pl-3">
      {seq === 0 && error === undefined && <Loading />}
      <Problem error={error} onRetry={onRetry} />
      {shown.length < items.length && (
        <p className="pb-2 text-sm">
          <Link to="/runs/$runId" params={{ runId }}>
            {texts.run.earlierSteps(items.length - shown.length)}
          </Link>
        </p>
      )}
      <ol>
        {shown.map((item) => (
          <li key={`${item.kind}-${item.key}`} data-kind={item.kind}>
            {renderItem(item, {
              runId,
              group: groups.get(item.key),
              progress: item.kind === "tool" ? progress.get(item.key) : undefined,
              isWaitingForAccount: status === "awaiting_auth",
              isWaiting:
                item === lastWait && lastWait?.kind === "status" && lastWait.status === status,
            })}
          </li>
        ))}
      </ol>
      {thoughts !== "" && <Thoughts text={thoughts} />}
      {partialText !== "" && (
        <div
          role="group"
          aria-label={texts.run.typing}
          className="after:text-quiet after:content-['▍']"
        >
          <Markdown text={partialText} />
        </div>
      )}
      {status === "queued" && seq > 0 && (
        <p className="text-sm text-quiet">{texts.run.notStarted}</p>
      )}
      {status !== "queued" && !isFinished && partialText === "" && thoughts === "" && (
        <Working runId={runId} timeline={timeline} />
      )}
    </div>
  );
}
