import { BronError } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import { moveDates } from "./moved-dates.ts";
import { isSameTime, type EventTime } from "./event-time.ts";
import { timeOf } from "./event-view.ts";
import { withMovedEnd } from "./moved-end.ts";
import { readRule } from "./recurrence.ts";
import { parseRule } from "./rule-parts.ts";
import { ruleInWords } from "./rule-words.ts";
import { checkStart, datesLine, dayOf } from "./series-dates.ts";
import { readSeries, writeSeries, type Series } from "./series-lines.ts";
import { dateInWords } from "./time-words.ts";

interface RequestedSeries {
  readonly recurrence?: string | undefined;
  /** The new start, if it changes. */
  readonly start: EventTime | undefined;
  /** Zone of the calendar. */
  readonly zone: string;
  readonly today: string;
}

interface SeriesChange {
  /** All recurrence lines, only if they change. */
  readonly recurrence?: string[];
  /** Lines of the preview. */
  readonly lines: readonly string[];
  /** Descriptions of canceled or added dates that cannot be kept. */
  readonly lost: readonly string[];
}

/**
 * Computes how a new rule or start changes a series. Throws invalid_arguments if they do not fit
 * together.
 */
export function readSeriesChange(
  event: calendar_v3.Schema$Event,
  { recurrence, start: newStart, zone, today }: RequestedSeries,
): SeriesChange {
  const oldLines = event.recurrence ?? [];
  if (oldLines.length === 0 && recurrence === undefined) return { lines: [], lost: [] };
  if (event.recurringEventId)
    throw new BronError(
      "invalid_arguments",
      `A single occurrence has no rule. Change the series ${event.recurringEventId} instead.`,
    );
  const before = timeOf(event.start, zone);
  if (!before) throw new BronError("invalid_arguments", "This event has no time to repeat.");
  const start = newStart ?? before;
  const was = readSeries(oldLines, before);
  const rule =
    recurrence === undefined ? undefined : newRule(readRule(recurrence, start), was, start);
  const isMoved = !isSameTime(start, before);
  if (rule === undefined && !isMoved)
    return { lines: linesOf(oldLines, { words: repeats(was, before), start, today }), lost: [] };
  const nextRule = rule ?? keptRule(was, before, start);
  const { lost, ...dates } = moveDates(was, { before, start, rule: nextRule });
  const lines = writeSeries({ rule: nextRule, ...dates });
  const words =
    nextRule === was.rule
      ? ruleInWords(nextRule, start)
      : `${oldLines.length === 0 ? "(none)" : repeats(was, before)} → ${ruleInWords(nextRule, start)}`;
  const isOther = rule !== undefined || lines.join("\n") !== oldLines.join("\n");
  return {
    ...(isOther ? { recurrence: lines } : {}),
    lines: linesOf(lines, { words, start, today }),
    lost,
  };
}

/** Undefined if the series already has this rule. */
function newRule(rule: string, { rule: oldRule }: Series, start: EventTime): string | undefined {
  if (oldRule === undefined) return rule;
  try {
    return readRule(oldRule, start) === rule ? undefined : rule;
  } catch (error) {
    if (!BronError.is(error, "invalid_arguments")) throw error;
    return rule;
  }
}

/**
 * Keeps the rule, which must include the new start. Otherwise the effect on the series cannot be
 * determined.
 */
function keptRule({ rule, unread }: Series, before: EventTime, start: EventTime): string {
  if (rule === undefined || !parseRule(rule))
    throw new BronError(
      "invalid_arguments",
      `This series has an unsupported rule (${[rule, ...unread].filter(Boolean).join(", ") || "single dates"}), so the effect of a new start is unknown. Add the rule as recurrence.`,
    );
  const movedRule = withMovedEnd(rule, before, start);
  checkStart(movedRule, start);
  return movedRule;
}

function repeats({ rule, unread }: Series, start: EventTime): string {
  return (
    [...(rule === undefined ? [] : [ruleInWords(rule, start)]), ...unread].join(", ") ||
    "on single dates"
  );
}

function linesOf(
  lines: readonly string[],
  {
    words,
    start,
    today,
  }: { readonly words: string; readonly start: EventTime; readonly today: string },
): string[] {
  const { off } = readSeries(lines, start);
  return [
    `Repeats: ${words}`,
    ...(off.length === 0
      ? []
      : [`Canceled: ${off.map((time) => dateInWords(dayOf(time).toString())).join("; ")}`]),
    datesLine(lines, start, today),
  ];
}
