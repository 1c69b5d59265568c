import { groupApprovals, type UsageView } from "@bron/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatDuration } from "../duration.ts";
import { queries } from "../live/queries.ts";
import { formatDollars } from "../money.ts";
import { usagePeriods, type UsagePeriod, type UsageSearch } from "../search.ts";
import { texts } from "../texts.ts";
import { usageWords } from "../words/usage.ts";
import { buttonClass } from "../ui/button.tsx";
import { Choices } from "../ui/choices.tsx";
import { cx } from "../ui/cx.ts";
import { Page } from "../ui/page.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Empty, Problem } from "../ui/states.tsx";
import { formatCount, formatPercent } from "./amounts.ts";
import { BudgetPanel } from "./budget-panel.tsx";
import { DayChart, type Series } from "./day-chart.tsx";
import { outcomeSeries, outcomesLine } from "./outcomes.ts";
import { UsageTable } from "./usage-table.tsx";

const { series: names } = usageWords;
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
    color: "accent-light",
    of: ({ cachedInputTokens }) => cachedInputTokens,
  },
  { name: names.outputTokens, color: "quiet", of: ({ outputTokens }) => outputTokens },
];
const approvalStates: readonly Series[] = [
  { name: names.approved, color: "good", of: ({ approved }) => approved },
  { name: names.denied, color: "quiet", of: ({ denied }) => denied },
];

/** What waits, how tasks went and how long they took. What they cost comes last. */
export function UsagePage() {
  const search: UsageSearch = useSearch({ from: "/usage" });
  const { days = 7, view = "charts" } = search;
  const usage = useQuery({ ...queries.usage(days), placeholderData: keepPreviousData });
  const { data: about } = useQuery(queries.about());
  const { data } = usage;
  const isEmpty = data?.total.runs === 0 && data.total.approved + data.total.denied === 0;
  const isFree = about?.demoModel === true && data?.total.costMicrousd === 0;
  return (
    <Page
      title={texts.places.usage}
      about={usageWords.about}
      width="wide"
      actions={<Period days={days} view={view} />}
    >
      <Waiting />
      <BudgetPanel />
      {usage.isPending && <Skeleton lines={8} />}
      <Problem error={usage.error} onRetry={() => void usage.refetch()} />
      {isEmpty && (
        <Empty title={days === 90 ? usageWords.empty : usageWords.emptyPeriod(days)}>
          {days === 90 ? usageWords.emptyHint : usageWords.emptyPeriodHint}
        </Empty>
      )}
      {data && !isEmpty && (
        <>
          <Totals total={data.total} days={days} />
          {view === "table" ? (
            <UsageTable usage={data} hasCost={!isFree} />
          ) : (
            <Charts days={data.days} hasCost={!isFree} />
          )}
          {isFree && <p className="mt-5 text-sm text-quiet">{usageWords.demoIsFree}</p>}
        </>
      )}
    </Page>
  );
}

function Period({ days, view }: { readonly days: UsagePeriod; readonly view: "charts" | "table" }) {
  const navigate = useNavigate({ from: "/usage" });
  const show = (period: UsagePeriod, shown: string) =>
    void navigate({
      search: {
        ...(period === 7 ? {} : { days: period }),
        ...(shown === "table" ? { view: shown } : {}),
      },
      replace: true,
    });
  return (
    <>
      <Choices
        label={usageWords.period}
        value={String(days)}
        options={usagePeriods.map((value) => ({
          value: String(value),
          name: usageWords.days(value),
        }))}
        onChange={(chosen) =>
          show(usagePeriods.find((value) => String(value) === chosen) ?? 7, view)
        }
      />
      <Choices
        label={usageWords.view}
        value={view}
        options={(["charts", "table"] as const).map((value) => ({
          value,
          name: usageWords.views[value],
        }))}
        onChange={(chosen) => show(days, chosen)}
      />
    </>
  );
}

/** How many approvals wait now, whatever the period. */
function Waiting() {
  const { data: count } = useQuery({
    ...queries.pendingApprovals(),
    select: (pending) => groupApprovals(pending).length,
  });
  if (count === undefined) return null;
  if (count === 0) return <p className="mb-5 text-quiet">{usageWords.noneWaiting}</p>;
  return (
    <div className="mb-5 flex flex-wrap items-center justify-between gap-3 rounded-xl border border-edge border-l-4 border-l-ask-edge bg-surface px-4 py-3">
      <p className="text-lg font-semibold">{usageWords.waiting(count)}</p>
      <Link to="/approvals" className={buttonClass("main")}>
        {usageWords.review}
      </Link>
    </div>
  );
}

function Totals({
  total,
  days,
}: {
  readonly total: UsageView["total"];
  readonly days: UsagePeriod;
}) {
  const { totals, none } = usageWords;
  const seconds = (value: number | null) => {
    if (value === null) return none;
    return value > 0 && value < 1 ? usageWords.underASecond : formatDuration(value * 1_000);
  };
  const decided = total.approved + total.denied > 0;
  return (
    <dl className="mb-5 grid gap-px overflow-hidden rounded-xl border border-edge bg-edge md:grid-cols-[1.4fr_1fr_1fr]">
      <Total
        name={totals.inTasks(`${formatCount(total.runs)} ${usageWords.tasks(total.runs)}`, days)}
        value={outcomesLine(total) || none}
        isSentence
      >
        {total.successRate !== null && usageWords.successRate(formatPercent(total.successRate))}
      </Total>
      <Total name={totals.worked} value={seconds(total.workedSeconds)}>
        {total.medianSeconds !== null && totals.median(seconds(total.medianSeconds))}
      </Total>
      <Total name={totals.approvals} value={seconds(total.medianApprovalSeconds)}>
        {decided
          ? totals.decided(formatCount(total.approved), formatCount(total.denied))
          : totals.noneDecided}
      </Total>
    </dl>
  );
}

function Total({
  name,
  value,
  isSentence = false,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly isSentence?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="bg-surface px-4 py-3.5 tabular-nums">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className={cx("mt-1 font-semibold", isSentence ? "text-lg/7" : "text-2xl/8")}>{value}</dd>
      {Boolean(children) && <dd className="mt-1 text-sm text-quiet">{children}</dd>}
    </div>
  );
}

function Charts({
  days,
  hasCost,
}: {
  readonly days: UsageView["days"];
  readonly hasCost: boolean;
}) {
  const { charts } = usageWords;
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <div className="min-w-0 lg:col-span-2">
        <DayChart
          title={charts.runs}
          days={days}
          series={outcomeSeries}
          minTop={4}
          format={formatCount}
        />
      </div>
      <div className={cx("min-w-0", !hasCost && "lg:col-span-2")}>
        <DayChart
          title={charts.approvals}
          days={days}
          series={approvalStates}
          minTop={4}
          format={formatCount}
        />
      </div>
      {hasCost && (
        <>
          <DayChart title={charts.cost} days={days} series={cost} format={formatDollars} />
          <div className="min-w-0 lg:col-span-2">
            <DayChart title={charts.tokens} days={days} series={tokens} format={formatCount} />
          </div>
        </>
      )}
    </div>
  );
}
