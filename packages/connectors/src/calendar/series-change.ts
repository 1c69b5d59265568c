import { BronError } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import { carryDates } from "./carried-dates.ts";
import { isSameTime, type EventTime } from "./event-time.ts";
import { timeOf } from "./event-view.ts";
import { withMovedEnd } from "./moved-end.ts";
import { readRule } from "./recurrence.ts";
import { understand } from "./rule-parts.ts";
import { ruleInWords } from "./rule-words.ts";
import { checkStart, datesLine, dayOf } from "./series-dates.ts";
import { readSeries, writeSeries, type Series } from "./series-lines.ts";
import { dateInWords } from "./time-words.ts";

interface Wish {
  readonly recurrence?: string | undefined;
  /** The new start, if it gets one. */
  readonly start: EventTime | undefined;
  /** Of the calendar. */
  readonly zone: string;
  readonly today: string;
}

interface SeriesChange {
  /** All lines of it, only if they are to change. */
  readonly recurrence?: string[];
  /** What a person is shown of it. */
  readonly lines: readonly string[];
  /** Dates called off or added by themselves that it cannot keep, in words. */
  readonly lost: readonly string[];
}

/** What becomes of a series with another rule or another start. Throws invalid_arguments if the two do not go together. */
export function readSeriesChange(
  event: calendar_v3.Schema$Event,
  { recurrence, start: newStart, zone, today }: Wish,
): SeriesChange {
  const known = event.recurrence ?? [];
  if (known.length === 0 && recurrence === undefined) return { lines: [], lost: [] };
  if (event.recurringEventId)
    throw new BronError(
      "invalid_arguments",
      `One occurrence has no rule of its own: change the series ${event.recurringEventId}.`,
    );
  const before = timeOf(event.start, zone);
  if (!before)
    throw new BronError("invalid_arguments", "This event has no time that could be repeated.");
  const start = newStart ?? before;
  const was = readSeries(known, before);
  const rule =
    recurrence === undefined ? undefined : newRule(readRule(recurrence, start), was, start);
  const isMoved = !isSameTime(start, before);
  if (rule === undefined && !isMoved)
    return { lines: linesOf(known, { words: repeats(was, before), start, today }), lost: [] };
  const kept = rule ?? keptRule(was, before, start);
  const { lost, ...dates } = carryDates(was, { before, start, rule: kept });
  const lines = writeSeries({ rule: kept, ...dates });
  const words =
    kept === was.rule
      ? ruleInWords(kept, start)
      : `${known.length === 0 ? "not" : repeats(was, before)} → ${ruleInWords(kept, start)}`;
  const isOther = rule !== undefined || lines.join("\n") !== known.join("\n");
  return {
    ...(isOther ? { recurrence: lines } : {}),
    lines: linesOf(lines, { words, start, today }),
    lost,
  };
}

/** Undefined for the rule that it has already. */
function newRule(rule: string, { rule: known }: Series, start: EventTime): string | undefined {
  if (known === undefined) return rule;
  try {
    return readRule(known, start) === rule ? undefined : rule;
  } catch (error) {
    if (!BronError.is(error, "invalid_arguments")) throw error;
    return rule;
  }
}

/** The rule stays: only if it has the new start can it be told what that does. */
function keptRule({ rule, unread }: Series, before: EventTime, start: EventTime): string {
  if (rule === undefined || !understand(rule))
    throw new BronError(
      "invalid_arguments",
      `It repeats in a way that is not understood here (${[rule, ...unread].filter(Boolean).join(", ") || "by single dates"}), so nobody could tell what another start does to it. Give the rule too, as recurrence.`,
    );
  const kept = withMovedEnd(rule, before, start);
  checkStart(kept, start);
  return kept;
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
      : [`Called off: ${off.map((time) => dateInWords(dayOf(time).toString())).join(", ")}`]),
    datesLine(lines, start, today),
  ];
}
