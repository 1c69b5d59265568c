import { describeAskedFor, describeNotDone } from "@bron/protocol";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { describeLine } from "../words/log.ts";
import { stepTitle, toolTodo } from "../words/tools.ts";
import { ChildRuns } from "./child-runs.tsx";
import { clockTime } from "./clock-time.ts";
import type { Item, PlannedAsk, ToolItem } from "./item.ts";
import { renderNested } from "./timeline-item.tsx";

/** More would push what waits for the owner off the screen. */
const maxShown = 6;

interface LiveStepsProps {
  readonly runId: string;
  readonly calls: readonly ToolItem[];
  readonly items: readonly Item[];
  /** The latest progress text of each running call, by action id. */
  readonly progress: ReadonlyMap<string, string>;
}

/** A checklist of a running task: what was requested, what is done and what is under way. */
export function LiveSteps({ runId, calls, items, progress }: LiveStepsProps) {
  const shown = calls.slice(-maxShown);
  const asks = items.flatMap((item) =>
    item.kind === "plan" && item.isOver !== true ? item.asks : [],
  );
  const open = asks.filter(({ state }) => state === "open");
  const children = items.flatMap((item) => (item.kind === "child" ? [item] : []));
  if (shown.length + open.length + children.length === 0) return null;
  return (
    <ol aria-label={texts.run.plan} className="grid gap-1 text-sm">
      {calls.length > shown.length && (
        <li className="pl-6 text-quiet">{texts.run.earlier(calls.length - shown.length)}</li>
      )}
      {shown.map((call) => (
        <Step key={call.key} runId={runId} call={call} progress={progress.get(call.key)} />
      ))}
      {children.length > 0 && (
        <li className="pl-6">
          <ChildRuns runId={runId} items={children} renderItem={renderNested} />
        </li>
      )}
      {open.map((ask) => (
        <Planned key={ask.key} ask={ask} />
      ))}
    </ol>
  );
}

const marks: Readonly<Record<ToolItem["state"], readonly [mark: string, look: string]>> = {
  running: ["", "text-accent"],
  completed: ["✓", "text-good"],
  failed: ["✗", "text-bad"],
  rejected: ["–", "text-quiet"],
  canceled: ["–", "text-quiet"],
  unknown: ["?", "text-bad"],
};

function Step({
  runId,
  call,
  progress = call.progress && describeLine(call.progress),
}: {
  readonly runId: string;
  readonly call: ToolItem;
  readonly progress?: string | undefined;
}) {
  const [mark, look] = marks[call.state];
  const isRunning = call.state === "running";
  return (
    <li className="arrive flex min-w-0 items-baseline gap-2">
      <span aria-hidden="true" className={cx("w-4 shrink-0 text-center", look)}>
        {isRunning ? (
          <span className="inline-block size-2 animate-pulse rounded-full bg-current" />
        ) : (
          mark
        )}
      </span>
      <div className={cx("min-w-0 flex-1 wrap-anywhere", isRunning ? "text-ink" : "text-quiet")}>
        {stepTitle(call)}
        <span className="sr-only">: {texts.run.toolStates[call.state]}</span>
        {call.about !== undefined && <span className="text-quiet"> · {call.about}</span>}
        {isRunning && progress !== undefined && <span className="text-quiet"> · {progress}</span>}
        {isRunning && call.client !== undefined && (
          <span className="block text-quiet">
            {texts.run.waitsForProgram(
              call.client.program,
              toolTodo(call.tool),
              clockTime(call.client.until),
            )}
          </span>
        )}
        {call.notDone !== undefined && (
          <span className={cx("block", call.state === "rejected" ? "text-quiet" : "text-bad")}>
            {describeNotDone(call.notDone, texts.cards.notDone)}
          </span>
        )}
        {call.children && (
          <ChildRuns runId={runId} items={call.children} renderItem={renderNested} />
        )}
      </div>
    </li>
  );
}

function Planned({ ask }: { readonly ask: PlannedAsk }) {
  return (
    <li className="flex min-w-0 items-baseline gap-2 text-quiet">
      <span aria-hidden="true" className="w-4 shrink-0 text-center">
        {"○"}
      </span>
      <span className="min-w-0 wrap-anywhere">{describeAskedFor(ask, texts.cards.askedFor)}</span>
    </li>
  );
}
