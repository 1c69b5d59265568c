import type { UsageView } from "@bron/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDuration } from "../duration.ts";
import { queries } from "../live/queries.ts";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { Choices } from "../ui/choices.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Loading, Problem } from "../ui/states.tsx";
import { formatCount, formatPercent } from "./amounts.ts";
import { DayChart, type Series } from "./day-chart.tsx";
import { UsageTable } from "./usage-table.tsx";

const periods = ["7", "30", "90"] as const;
const views = ["charts", "table"] as const;
const { series: names } = texts.usage;

const outcomes: readonly Series[] = [
  { name: names.succeeded, color: "good", of: ({ succeeded }) => succeeded },
  { name: names.partlyDone, color: "ask", of: ({ inPart: partlyDone }) => partlyDone },
  { name: names.failed, color: "bad", of: ({ failed }) => failed },
  { name: names.canceled, color: "quiet", of: ({ canceled }) => canceled },
  {
    name: names.open,
    color: "accent",
    of: ({ runs, succeeded, inPart: partlyDone, failed, canceled }) =>
      runs - succeeded - partlyDone - failed - canceled,
  },
];
const cost: readonly Series[] = [
  { name: names.cost, color: "accent", of: ({ costMicrousd }) => costMicrousd },
];
const tokens: readonly Series[] = [
  {
    name: names.newInputTokens,
    color: "accent",
    of: ({ inputTokens, cachedInputTokens }) => inputTokens - cachedInputTokens,
  },
  {
    name: names.cachedInputTokens,
    color: "good",
    of: ({ cachedInputTokens }) => cachedInputTokens,
  },
  { name: names.outputTokens, color: "quiet", of: ({ outputTokens }) => outputTokens },
];
const decisions: readonly Series[] = [
  { name: names.approved, color: "good", of: ({ approved }) => approved },
  { name: names.denied, color: "bad", isBelow: true, of: ({ denied }) => denied },
];

/** Totals, then values by day as charts or as a table of the same numbers. */
export function UsagePage() {
  const [period, setPeriod] = useState<(typeof periods)[number]>("30");
  const [view, setView] = useState<(typeof views)[number]>("charts");
  const usage = useQuery({ ...queries.usage(Number(period)), placeholderData: keepPreviousData });
  const isEmpty =
    usage.data &&
    usage.data.total.runs === 0 &&
    usage.data.total.approved + usage.data.total.denied === 0;
  return (
    <Page title={texts.places.usage} about={texts.usage.about} width="wide">
      <div className="mb-5 flex flex-wrap gap-3">
        <Choices
          label={texts.usage.period}
          value={period}
          options={periods.map((value) => ({ value, name: texts.usage.days(Number(value)) }))}
          onChange={setPeriod}
        />
        <Choices
          label={texts.usage.view}
          value={view}
          options={views.map((value) => ({ value, name: texts.usage.views[value] }))}
          onChange={setView}
        />
      </div>
      {usage.isPending && <Loading />}
      <Problem error={usage.error} onRetry={() => void usage.refetch()} />
      {isEmpty && <Empty title={texts.usage.empty}>{texts.usage.emptyHint}</Empty>}
      {usage.data && !isEmpty && (
        <>
          <Totals {...usage.data.total} />
          {view === "table" ? (
            <UsageTable usage={usage.data} />
          ) : (
            <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
              <DayChart
                title={texts.usage.charts.runs}
                days={usage.data.days}
                series={outcomes}
                format={formatCount}
              />
              <DayChart
                title={texts.usage.charts.cost}
                days={usage.data.days}
                series={cost}
                kind="line"
                format={formatDollars}
              />
              <DayChart
                title={texts.usage.charts.tokens}
                days={usage.data.days}
                series={tokens}
                format={formatCount}
              />
              <DayChart
                title={texts.usage.charts.approvals}
                days={usage.data.days}
                series={decisions}
                format={formatCount}
              />
            </div>
          )}
        </>
      )}
    </Page>
  );
}

function Totals(total: UsageView["total"]) {
  const shown = [
    [texts.usage.totals.runs, formatCount(total.runs)],
    [
      texts.usage.totals.successRate,
      total.successRate === null ? texts.usage.none : formatPercent(total.successRate),
    ],
    [
      texts.usage.totals.medianSeconds,
      total.medianSeconds === null ? texts.usage.none : formatDuration(total.medianSeconds * 1_000),
    ],
    [texts.usage.totals.cost, formatDollars(total.costMicrousd)],
    [texts.usage.totals.tokens, formatCount(total.inputTokens + total.outputTokens)],
    [texts.usage.totals.toolCalls, formatCount(total.toolCalls)],
  ] as const;
  return (
    <dl className="mb-5 grid grid-cols-2 gap-px overflow-hidden rounded-xl border border-edge bg-edge sm:grid-cols-3 lg:grid-cols-6">
      {shown.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse justify-end gap-0.5 bg-surface px-4 py-3">
          <dt className="min-w-0 text-sm text-quiet">{name}</dt>
          <dd className="text-xl font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
