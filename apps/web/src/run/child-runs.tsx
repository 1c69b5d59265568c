import { describeFailure, describePlace, visible, type RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { Icon } from "../layout/icon.tsx";
import { queries } from "../live/queries.ts";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { RunBadge } from "../ui/badge.tsx";
import { cx } from "../ui/cx.ts";
import { ChildTimeline, type RenderItem } from "./child-timeline.tsx";
import type { ChildItem } from "./item.ts";
import { icon } from "./tool-icons.ts";
import { useUnfolded } from "./unfolded.ts";
import { usePlaceGone } from "../live/use-place-gone.ts";

interface ChildRunsProps {
  /** The run that started them. */
  readonly runId: string;
  readonly items: readonly ChildItem[];
  /** Renders a step of a child run. */
  readonly renderItem: RenderItem;
}

/**
 * The child runs that a step started. A folded one fetches nothing of its own: one list per parent
 * run tells the state of all its child runs.
 */
export function ChildRuns({ runId, items, renderItem }: ChildRunsProps) {
  const { data: runs = [] } = useQuery(queries.children(runId));
  return (
    <ul aria-label={texts.run.subtasks} className="mt-1 grid min-w-0 gap-1">
      {items.map((item) => (
        <ChildRun
          key={item.key}
          item={item}
          run={runs.find(({ id }) => id === item.runId)}
          renderItem={renderItem}
        />
      ))}
    </ul>
  );
}

interface ChildRunProps {
  readonly item: ChildItem;
  /** The run itself, which may be newer than the log of its parent. */
  readonly run: RunView | undefined;
  readonly renderItem: RenderItem;
}

function ChildRun({ item, run, renderItem }: ChildRunProps) {
  const unfolded = useUnfolded();
  const steps = useId();
  const { isGone } = usePlaceGone(run);
  const isOpen = unfolded.has(item.runId);
  const title = visible(run?.title ?? item.title);
  const error = run?.error ?? item.error;
  const spentMicrousd = run?.spentMicrousd ?? 0;
  return (
    <li className="min-w-0">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? steps : undefined}
          onClick={() => unfolded.toggle(item.runId)}
          className="flex min-w-0 items-start gap-1.5 rounded py-1 text-start hover:text-accent"
        >
          <span
            aria-hidden="true"
            className={cx(
              "mt-1 shrink-0 text-quiet transition-transform [&>svg]:size-3.5",
              isOpen && "rotate-90",
            )}
          >
            <Icon path={icon.unfold} />
          </span>
          <span className="sr-only">{texts.run.subtask}: </span>
          <span className="min-w-0 wrap-anywhere">{title}</span>
        </button>
        <RunBadge run={run ?? { ...item, waitsFor: null }} />
        {spentMicrousd > 0 && (
          <span className="text-sm text-quiet tabular-nums">
            <span className="sr-only">{texts.run.cost}: </span>
            {formatDollars(spentMicrousd)}
          </span>
        )}
        <Link
          to="/runs/$runId"
          params={{ runId: item.runId }}
          aria-label={texts.run.openSubtask(title)}
          className="text-sm"
        >
          {texts.run.open}
        </Link>
      </div>
      {error && (
        <p className="pl-5 text-sm text-bad wrap-anywhere">
          {describeFailure(error, texts.cards.failures)}
        </p>
      )}
      {run?.place && isGone && (
        <p className="pl-5 text-sm text-quiet wrap-anywhere">
          {texts.place.waits(visible(describePlace(run.place, texts.place)))}
        </p>
      )}
      {isOpen && (
        <div id={steps} role="group" aria-label={texts.run.stepsOf(title)}>
          <ChildTimeline runId={item.runId} renderItem={renderItem} />
        </div>
      )}
    </li>
  );
}
