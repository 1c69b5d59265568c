import type { UsageView } from "@bron/protocol";
import { formatDollars } from "../money.ts";
import { usageWords } from "../words/usage.ts";
import { formatCount, dayName } from "./amounts.ts";
import type { Day } from "./day-chart.tsx";
import { outcomeSeries } from "./outcomes.ts";

type Numbers = Omit<Day, "day">;

interface Column {
  readonly name: string;
  format(day: Numbers): string;
}

const { series, totals } = usageWords;
const runsColumn: Column = { name: totals.runs, format: ({ runs }) => formatCount(runs) };
const workColumns: readonly Column[] = [
  { name: totals.toolCalls, format: ({ toolCalls }) => formatCount(toolCalls) },
  { name: series.approved, format: ({ approved }) => formatCount(approved) },
  { name: series.denied, format: ({ denied }) => formatCount(denied) },
];

/** The first outcome always, and the others if a task has them. */
function outcomeColumns(total: Numbers): readonly Column[] {
  return outcomeSeries
    .filter(({ of }, index) => index === 0 || of(total) > 0)
    .map(({ name, of }) => ({ name, format: (numbers) => formatCount(of(numbers)) }));
}

const costColumns = (total: Numbers): readonly Column[] => [
  { name: series.inputTokens, format: ({ inputTokens }) => formatCount(inputTokens) },
  ...(total.cachedInputTokens === 0
    ? []
    : [
        {
          name: series.ofItCached,
          format: ({ cachedInputTokens }: Numbers) => formatCount(cachedInputTokens),
        },
      ]),
  { name: series.outputTokens, format: ({ outputTokens }) => formatCount(outputTokens) },
  { name: totals.cost, format: ({ costMicrousd }) => formatDollars(costMicrousd) },
];

/** The same numbers as the charts, newest first. Scrolls sideways on a narrow screen. */
export function UsageTable({
  usage: { days, total },
  hasCost,
}: {
  readonly usage: UsageView;
  readonly hasCost: boolean;
}) {
  const shown = [
    runsColumn,
    ...outcomeColumns(total),
    ...workColumns,
    ...(hasCost ? costColumns(total) : []),
  ];
  const cell = "border-t border-edge px-2.5 py-2 text-right tabular-nums";
  return (
    <div
      role="region"
      aria-label={usageWords.tableLabel}
      tabIndex={0}
      className="overflow-x-auto rounded-xl border border-edge bg-surface"
    >
      <table className="w-full border-collapse text-sm whitespace-nowrap">
        <thead>
          <tr className="text-quiet">
            <th scope="col" className="border-0 px-2.5 py-2 text-left font-medium">
              {usageWords.day}
            </th>
            {shown.map(({ name }) => (
              <th key={name} scope="col" className="border-0 px-2.5 py-2 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="font-medium">
            <th scope="row" className="border-t border-edge px-2.5 py-2 text-left">
              {usageWords.total}
            </th>
            {shown.map(({ name, format }) => (
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
              {shown.map(({ name, format }) => (
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
