import type { UsageView } from "@bron/protocol";
import { useId, useLayoutEffect, useRef, useState } from "react";
import { texts } from "../texts.ts";
import { Panel } from "../ui/panel.tsx";
import { dayName, niceTop } from "./amounts.ts";

export type Day = UsageView["days"][number];

export interface Series {
  readonly name: string;
  /** The name of a color of the palette, as in the utility classes. */
  readonly color: "accent" | "good" | "ask" | "bad" | "quiet";
  /** Drawn below the axis, opposite to the others. */
  readonly isBelow?: boolean;
  of(day: Day): number;
}

interface DayChartProps {
  readonly title: string;
  readonly days: readonly Day[];
  readonly series: readonly Series[];
  readonly kind?: "bars" | "line";
  format(value: number): string;
}

const fills = {
  accent: "fill-accent",
  good: "fill-good",
  ask: "fill-ask-edge",
  bad: "fill-bad",
  quiet: "fill-quiet",
} as const;
const swatches = {
  accent: "bg-accent",
  good: "bg-good",
  ask: "bg-ask-edge",
  bad: "bg-bad",
  quiet: "bg-quiet",
} as const;
const height = 168;
const edge = { left: 58, right: 8, top: 10, bottom: 22 };

/**
 * A chart of one or more values per day, as plain SVG with a text alternative. Needs no library.
 */
export function DayChart({ title, days, series, kind = "bars", format }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const label = useId();
  const sum = (day: Day, isBelow: boolean) =>
    series
      .filter((entry) => (entry.isBelow ?? false) === isBelow)
      .reduce((total, entry) => total + entry.of(day), 0);
  const top = niceTop(Math.max(...days.map((day) => sum(day, false))));
  const maxBelow = Math.max(...days.map((day) => sum(day, true)));
  const bottom = maxBelow === 0 ? 0 : niceTop(maxBelow);
  const y = (value: number) =>
    edge.top + ((top - value) / (top + bottom)) * (height - edge.top - edge.bottom);
  const step = (width - edge.left - edge.right) / days.length;
  const x = (index: number) => edge.left + step * index;
  const totals = series.map(
    (entry) => `${entry.name} ${format(days.reduce((total, day) => total + entry.of(day), 0))}`,
  );
  const isFlat = days.every((day) => sum(day, false) === 0);
  const ticks = [
    ...new Set([
      ...(isFlat ? [] : [top, ...(Number.isInteger(top / 2) ? [top / 2] : [])]),
      0,
      ...(bottom > 0 ? [-bottom] : []),
    ]),
  ];
  const named = [...new Set([0, Math.floor((days.length - 1) / 2), days.length - 1])];
  return (
    <Panel title={title}>
      <div ref={box} className="min-w-0">
        <svg role="img" aria-labelledby={label} width={width} height={height} className="block">
          <title id={label}>
            {texts.usage.chartText(
              title,
              dayName(days[0]?.day ?? ""),
              dayName(days.at(-1)?.day ?? ""),
              totals.join(", "),
            )}
          </title>
          <g aria-hidden="true" className="text-[11px]">
            {ticks.map((tick) => (
              <g key={tick}>
                <line
                  x1={edge.left}
                  x2={width - edge.right}
                  y1={y(tick)}
                  y2={y(tick)}
                  className="stroke-edge"
                  strokeDasharray={tick === 0 ? undefined : "2 4"}
                />
                <text
                  x={edge.left - 8}
                  y={y(tick)}
                  dy="0.35em"
                  textAnchor="end"
                  className="fill-quiet"
                >
                  {format(Math.abs(tick))}
                </text>
              </g>
            ))}
            {named.map((index) => (
              <text
                key={index}
                x={
                  index === 0
                    ? x(0)
                    : index === days.length - 1
                      ? width - edge.right
                      : x(index) + step / 2
                }
                y={height - 4}
                textAnchor={index === 0 ? "start" : index === days.length - 1 ? "end" : "middle"}
                className="fill-quiet"
              >
                {dayName(days[index]?.day ?? "")}
              </text>
            ))}
            {kind === "line" && (
              <Line
                points={days.map(
                  (day, index) => [x(index) + step / 2, y(sum(day, false))] as const,
                )}
              />
            )}
            {days.map((day, index) => (
              <g key={day.day}>
                {kind === "bars" && (
                  <Bars
                    day={day}
                    series={series}
                    x={x(index) + Math.min(3, step * 0.15)}
                    width={Math.max(1, step - 2 * Math.min(3, step * 0.15))}
                    y={y}
                  />
                )}
                <rect x={x(index)} y={0} width={step} height={height} fill="transparent">
                  <title>
                    {[
                      dayName(day.day),
                      ...series.map((entry) => `${entry.name}: ${format(entry.of(day))}`),
                    ].join("\n")}
                  </title>
                </rect>
              </g>
            ))}
          </g>
        </svg>
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm text-quiet">
        {series.map((entry, index) => (
          <li key={entry.name} className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-sm ${swatches[entry.color]}`} />
            {totals[index]}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Bars({
  day,
  series,
  x,
  width,
  y,
}: {
  readonly day: Day;
  readonly series: readonly Series[];
  readonly x: number;
  readonly width: number;
  y(value: number): number;
}) {
  let up = 0;
  let down = 0;
  return series.map((entry) => {
    const value = entry.of(day);
    const [from, to] = entry.isBelow ? [-down, -(down += value)] : [(up += value), up - value];
    return value === 0 ? null : (
      <rect
        key={entry.name}
        x={x}
        y={y(from)}
        width={width}
        height={Math.max(1, y(to) - y(from))}
        rx={Math.min(2, width / 2)}
        className={fills[entry.color]}
      />
    );
  });
}

function Line({ points }: { readonly points: readonly (readonly [number, number])[] }) {
  const path = points
    .map(([x, y], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join(" ");
  return (
    <>
      <path d={path} fill="none" className="stroke-accent" strokeWidth={2} strokeLinejoin="round" />
      {points.length <= 31 &&
        points.map(([x, y]) => <circle key={x} cx={x} cy={y} r={2.5} className="fill-accent" />)}
    </>
  );
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
