import type { UsageView } from "@bron/protocol";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { usageWords } from "../words/usage.ts";
import { Panel } from "../ui/panel.tsx";
import { dayName, niceTop } from "./amounts.ts";

export type Day = UsageView["days"][number];

export interface Series {
  readonly name: string;
  /** The name of a color of the palette. "-light" is a tint of it, for what is near to it. */
  readonly color: keyof typeof fills;
  of(day: Omit<Day, "day">): number;
}

interface DayChartProps {
  readonly title: string;
  readonly days: readonly Day[];
  /** From the bottom of a bar to its top. */
  readonly series: readonly Series[];
  /** The lowest top of the axis, so that a single task does not fill the chart. */
  readonly minTop?: number;
  format(value: number): string;
}

const fills = {
  accent: "fill-accent",
  "accent-light": "fill-accent/45",
  good: "fill-good",
  "good-light": "fill-good/45",
  bad: "fill-bad",
  "bad-light": "fill-bad/45",
  quiet: "fill-quiet",
  "quiet-light": "fill-quiet/45",
} as const;
const swatches = {
  accent: "bg-accent",
  "accent-light": "bg-accent/45",
  good: "bg-good",
  "good-light": "bg-good/45",
  bad: "bg-bad",
  "bad-light": "bg-bad/45",
  quiet: "bg-quiet",
  "quiet-light": "bg-quiet/45",
} as const;
const height = 168;
const edge = { left: 52, right: 8, top: 10, bottom: 24 };
const maxBarWidth = 44;

/**
 * One bar for each day, as plain SVG with a text alternative. The legend has what occurs in these
 * days.
 */
export function DayChart({ title, days, series, minTop = 1, format }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const label = useId();
  const totalOf = (entry: Series) => days.reduce((total, day) => total + entry.of(day), 0);
  const shown = series.filter((entry, index) => index === 0 || totalOf(entry) > 0);
  const sums = days.map((day) => shown.reduce((total, entry) => total + entry.of(day), 0));
  const max = Math.max(...sums);
  const top = Math.max(minTop, niceTop(max));
  const y = (value: number) => edge.top + ((top - value) / top) * (height - edge.top - edge.bottom);
  const step = (width - edge.left - edge.right) / days.length;
  const x = (index: number) => edge.left + step * index;
  const totals = shown.map((entry) => `${entry.name} ${format(totalOf(entry))}`);
  const ticks = max === 0 ? [0] : [top, ...(Number.isInteger(top / 2) ? [top / 2] : []), 0];
  const barWidth = Math.max(1, Math.min(maxBarWidth, step - Math.min(6, step * 0.3)));
  return (
    <Panel title={title}>
      <div ref={box} className="min-w-0">
        <svg role="img" aria-labelledby={label} width={width} height={height} className="block">
          <title id={label}>
            {usageWords.chartText(
              title,
              dayName(days[0]?.day ?? ""),
              dayName(days.at(-1)?.day ?? ""),
              totals.join(", "),
            )}
          </title>
          <g aria-hidden="true" className="text-[11px]">
            {ticks.map((tick) => (
              <Tick key={tick} y={y(tick)} right={width - edge.right} isAxis={tick === 0}>
                {format(tick)}
              </Tick>
            ))}
            {days.map((day, index) => (
              <g key={day.day}>
                <Bar
                  values={shown.map((entry) => ({ ...entry, value: entry.of(day) }))}
                  x={x(index) + (step - barWidth) / 2}
                  width={barWidth}
                  y={y}
                />
                <DayLabel days={days} index={index} x={x(index) + step / 2} step={step} />
                <rect x={x(index)} y={0} width={step} height={height} fill="transparent">
                  <title>
                    {[
                      dayName(day.day),
                      ...shown.map((entry) => `${entry.name}: ${format(entry.of(day))}`),
                    ].join("\n")}
                  </title>
                </rect>
              </g>
            ))}
          </g>
        </svg>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet tabular-nums">
        {shown.map((entry, index) => (
          <li key={entry.name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${swatches[entry.color]}`} />
            {totals[index]}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Tick({
  y,
  right,
  isAxis,
  children,
}: {
  readonly y: number;
  readonly right: number;
  readonly isAxis: boolean;
  readonly children: string;
}) {
  return (
    <g>
      <line
        x1={edge.left}
        x2={right}
        y1={y}
        y2={y}
        className="stroke-edge"
        strokeDasharray={isAxis ? undefined : "2 4"}
      />
      <text x={edge.left - 8} y={y} dy="0.35em" textAnchor="end" className="fill-quiet">
        {children}
      </text>
    </g>
  );
}

/** The widest name of a day, with the space beside it. */
const labelWidth = 52;

/** The last day always has a name, and the others as far as there is room. */
function DayLabel({
  days,
  index,
  x,
  step,
}: {
  readonly days: readonly Day[];
  readonly index: number;
  readonly x: number;
  readonly step: number;
}) {
  const every = Math.max(1, Math.ceil(labelWidth / step));
  const isLast = index === days.length - 1;
  if ((days.length - 1 - index) % every !== 0) return null;
  const half = labelWidth / 2;
  return (
    <text
      x={isLast && step < labelWidth ? x + step / 2 : Math.max(edge.left + half - 12, x)}
      y={height - 6}
      textAnchor={isLast && step < labelWidth ? "end" : "middle"}
      className="fill-quiet"
    >
      {isLast ? usageWords.today : dayName(days[index]?.day ?? "")}
    </text>
  );
}

function Bar({
  values,
  x,
  width,
  y,
}: {
  readonly values: readonly (Series & { readonly value: number })[];
  readonly x: number;
  readonly width: number;
  y(value: number): number;
}) {
  let sum = 0;
  return values.map(({ name, color, value }) => {
    const [from, to] = [sum, (sum += value)];
    return value === 0 ? null : (
      <rect
        key={name}
        x={x}
        y={y(to)}
        width={width}
        height={Math.max(1, y(from) - y(to) - 1)}
        rx={Math.min(2, width / 2)}
        className={fills[color]}
      />
    );
  });
}

/**
 * The rendered width. The SVG is drawn at this size, so that its text is as large as all other
 * text.
 */
function useWidth(box: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(480);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(
      ([entry]) => entry && setWidth(Math.max(200, Math.floor(entry.contentRect.width))),
    );
    setWidth(Math.max(200, Math.floor(box.current.clientWidth)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}
