import { describeNotDone, type JsonValue } from "@bron/protocol";
import { RiskList } from "../cards/risk-list.tsx";
import { formatDuration } from "../duration.ts";
import type { RunSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";
import { describeLine } from "../words/log.ts";
import { stepTitle, toolTodo } from "../words/tools.ts";
import { clockTime } from "./clock-time.ts";
import { FileLink } from "./file-link.tsx";
import { OriginTag } from "./origin-tag.tsx";
import { FullOutput } from "./full-output.tsx";
import type { ToolItem, ToolState } from "./item.ts";
import { splitAtPassage, usePassage } from "./passage.ts";

const marks: Readonly<Record<ToolState, readonly [string, string]>> = {
  running: ["", "text-accent"],
  completed: ["✓", "text-good"],
  failed: ["✗", "text-bad"],
  rejected: ["–", "text-quiet"],
  canceled: ["–", "text-quiet"],
  unknown: ["?", "text-bad"],
};

/** One line for each tool call. Its input and output are collapsed. */
export function ToolLine({
  item,
  progress = item.progress && describeLine(item.progress),
}: {
  readonly item: ToolItem;
  /** The latest word of the running call. */
  readonly progress?: string | undefined;
}) {
  const [mark, look] = marks[item.state];
  const { passage, ref } = usePassage(item.key);
  const isRunning = item.state === "running";
  const tookMs =
    item.endedAt === undefined ? 0 : Date.parse(item.endedAt) - Date.parse(item.startedAt);
  return (
    <>
      <details ref={ref} className="group min-w-0">
        <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-2 gap-y-0.5 rounded py-0.5 hover:text-accent [&::-webkit-details-marker]:hidden">
          <span className="font-medium">{stepTitle(item)}</span>
          <span className={cx("text-sm", look)}>
            {isRunning ? (
              <span
                aria-hidden="true"
                className="inline-block size-2 animate-pulse rounded-full bg-current"
              />
            ) : (
              <span aria-hidden="true">{mark}</span>
            )}
            <span className="sr-only">: {texts.run.toolStates[item.state]}</span>
          </span>
          <span className="max-w-full min-w-0 truncate text-sm text-quiet">
            {item.about ?? hintOf(item.input)}
          </span>
          {item.isReused === true && (
            <span className="rounded border border-edge px-1.5 text-xs text-quiet">
              {texts.run.reused}
            </span>
          )}
          {tookMs >= 1_000 && <span className="text-xs text-quiet">{formatDuration(tookMs)}</span>}
          {isRunning && progress !== undefined && (
            <span className="basis-full text-sm wrap-anywhere text-quiet">{progress}</span>
          )}
          {isRunning && item.client !== undefined && (
            <span className="basis-full text-sm text-quiet">
              {texts.run.waitsForProgram(
                item.client.program,
                toolTodo(item.tool),
                clockTime(item.client.until),
              )}
            </span>
          )}
          {item.notDone !== undefined && (
            <span
              className={cx(
                "basis-full text-sm wrap-anywhere",
                item.state === "rejected" ? "text-quiet" : "text-bad",
              )}
            >
              {describeNotDone(item.notDone, texts.cards.notDone)}
            </span>
          )}
        </summary>
        <div className="mt-2 grid gap-3 rounded-lg border border-edge bg-surface p-3">
          <p className="text-xs text-quiet">
            {texts.run.tool}: <code>{item.tool}</code>
          </p>
          <Data title={texts.input} value={item.input} />
          {item.output !== undefined && (
            <Data title={texts.output} value={item.output} passage={passage} origin={item.origin} />
          )}
          {item.kept !== undefined && <FullOutput kept={item.kept} />}
        </div>
      </details>
      {item.risks !== undefined && <RiskList {...item.risks} />}
      {item.kept !== undefined && <FileLink file={item.kept} about={texts.run.keptOutput} />}
    </>
  );
}

function Data({
  title,
  value,
  passage = {},
  origin,
}: {
  readonly title: string;
  readonly value: JsonValue;
  readonly passage?: RunSearch | undefined;
  readonly origin?: ToolItem["origin"] | undefined;
}) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const [before, found, rest] = splitAtPassage(text, passage);
  return (
    <div className="min-w-0">
      <p className="mb-1 flex flex-wrap items-center gap-2 text-xs font-semibold text-quiet">
        {title}
        {origin !== undefined && <OriginTag origin={origin} />}
      </p>
      <pre className="m-0 max-h-96 overflow-auto text-xs whitespace-pre-wrap wrap-anywhere">
        {before}
        {found !== "" && <mark>{found}</mark>}
        {rest}
      </pre>
    </div>
  );
}

const maxHint = 80;

/**
 * The part of the input by which a person recognizes the call. Queries in the language of a service
 * are among the details.
 */
function hintOf(input: JsonValue): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  for (const name of ["subject", "summary", "url", "name", "filename", "channel"]) {
    const value = input[name];
    if (typeof value === "string" && value !== "")
      return value.length > maxHint ? `${value.slice(0, maxHint)}…` : value;
  }
  return "";
}
