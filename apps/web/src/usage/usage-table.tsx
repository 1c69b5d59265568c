import type { UsageView } from "@bron/protocol";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { formatCount, dayName } from "./amounts.ts";
import type { Day } from "./day-chart.tsx";

type Numbers = Omit<Day, "day">;

const columns: readonly { readonly name: string; format(day: Numbers): string }[] = [
  { name: texts.usage.totals.runs, format: ({ runs }) => formatCount(runs) },
  { name: texts.usage.series.succeeded, format: ({ succeeded }) => formatCount(succeeded) },
  {
    name: texts.usage.series.partlyDone,
    format: ({ inPart: partlyDone }) => formatCount(partlyDone),
  },
  { name: texts.usage.series.failed, format: ({ failed }) => formatCount(failed) },
  { name: texts.usage.series.canceled, format: ({ canceled }) => formatCount(canceled) },
  { name: texts.usage.series.inputTokens, format: ({ inputTokens }) => formatCount(inputTokens) },
  {
    name: texts.usage.series.ofItCached,
    format: ({ cachedInputTokens }) => formatCount(cachedInputTokens),
  },
  {
    name: texts.usage.series.outputTokens,
    format: ({ outputTokens }) => formatCount(outputTokens),
  },
  { name: texts.usage.totals.cost, format: ({ costMicrousd }) => formatDollars(costMicrousd) },
  { name: texts.usage.totals.toolCalls, format: ({ toolCalls }) => formatCount(toolCalls) },
  { name: texts.usage.series.approved, format: ({ approved }) => formatCount(approved) },
  { name: texts.usage.series.denied, format: ({ denied }) => formatCount(denied) },
];

/** The same numbers as the charts, newest first. Scrolls sideways on a narrow screen. */
export function UsageTable({ usage: { days, total } }: { readonly usage: UsageView }) {
  const cell = "border-t border-edge px-2.5 py-2 text-right tabular-nums";
  return (
    <div
      role="region"
      aria-label={texts.usage.tableLabel}
      tabIndex={0}
      className="overflow-x-auto rounded-xl border border-edge bg-surface"
    >
      <table className="w-full border-collapse text-sm whitespace-nowrap">
        <thead>
          <tr className="text-quiet">
            <th scope="col" className="border-0 px-2.5 py-2 text-left font-medium">
              {texts.usage.day}
            </th>
            {columns.map(({ name }) => (
              <th key={name} scope="col" className="border-0 px-2.5 py-2 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="font-medium">
            <th scope="row" className="border-t border-edge px-2.5 py-2 text-left">
              {texts.usage.total}
            </th>
            {columns.map(({ name, format }) => (
              <td key={name} className={cell}>
                {format(total)}
              </td>
            ))}
          </tr>
          {days.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row" className="border-t border-edge px-2.5 py-2 text-left font-normal">
                {dayName(day.day)}
              </th>
              {columns.map(({ name, format }) => (
                <td key={name} className={cell}>
                  {format(day)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
