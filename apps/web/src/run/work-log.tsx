import { isTerminal, type RunView } from "@bron/protocol";
import { useId, type ReactNode } from "react";
import { formatDuration } from "../duration.ts";
import { Icon } from "../layout/icon.tsx";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { formatCount } from "../usage/amounts.ts";
import { useNow } from "../use-now.ts";
import { activeMs } from "./active-time.ts";
import { icon } from "./tool-icons.ts";
import type { Timeline } from "./timeline.ts";

interface WorkLogProps {
  readonly run: RunView;
  readonly timeline: Timeline;
  readonly stepCount: number;
  readonly isOpen: boolean;
  onToggle(): void;
  /** The timeline. It is rendered only while it is open. */
  readonly children: ReactNode;
}

/** "Worked for 3s · 7 steps", with the timeline folded below it. */
export function WorkLog({ run, timeline, stepCount, isOpen, onToggle, children }: WorkLogProps) {
  const body = useId();
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        onClick={onToggle}
        className="-ml-2 inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-lg border-0 bg-transparent px-2 text-start text-sm text-quiet hover:bg-raised hover:text-ink"
      >
        <span
          aria-hidden="true"
          className={cx("transition-transform [&>svg]:size-3.5", isOpen && "rotate-90")}
        >
          <Icon path={icon.unfold} />
        </span>
        <Worked timeline={timeline} /> · {texts.run.steps(stepCount)}
      </button>
      {isOpen && (
        <div id={body} role="group" aria-label={texts.run.work} className="mt-2">
          {children}
          <p className="pb-2 text-xs text-quiet tabular-nums">
            {texts.run.tokens(
              formatCount(timeline.inputTokens),
              formatCount(timeline.outputTokens),
            )}
            {" · "}
            <span className="sr-only">{texts.run.cost}: </span>
            {formatDollars(Math.max(run.spentMicrousd, timeline.costMicrousd))}
            {" · "}
            <a
              href={`/api/runs/${encodeURIComponent(run.id)}/export`}
              download
              title={texts.run.exportHint}
              className="text-quiet underline"
            >
              {texts.run.exportTask}
            </a>
          </p>
        </div>
      )}
    </div>
  );
}

function Worked({ timeline: { active, status } }: { readonly timeline: Timeline }) {
  const now = useNow(active.since !== undefined);
  const time = formatDuration(activeMs(active, now));
  const isOver = isTerminal(status);
  return (
    <span title={isOver ? texts.run.duration : texts.run.elapsed} className="tabular-nums">
      {isOver ? texts.run.worked(time) : texts.run.working(time)}
    </span>
  );
}
