import { BronError } from "@bron/core";
import type { calendar_v3 } from "@googleapis/calendar";
import type { EventTime } from "./event-time.ts";
import { timeOf } from "./event-view.ts";
import { dateLines } from "./prepared-event.ts";
import { readRule } from "./recurrence.ts";
import { checkStart } from "./rule-dates.ts";
import { ruleInWords } from "./rule-words.ts";

interface Wish {
  readonly recurrence?: string | undefined;
  /** The new start, if it gets one. */
  readonly start: EventTime | undefined;
  /** Of the calendar. */
  readonly zone: string;
}

interface SeriesChange {
  /** Only if the rule is to change. */
  readonly rule?: string;
  /** What a person is shown of it. */
  readonly lines: readonly string[];
}

/** What becomes of a series with another rule or another start. Throws invalid_arguments if the two do not go together. */
export function readSeriesChange(event: calendar_v3.Schema$Event, { recurrence, start: newStart, zone }: Wish): SeriesChange {
  const known = event.recurrence ?? [];
  const before = timeOf(event.start, zone);
  const start = newStart ?? before;
  if (recurrence === undefined) {
    if (!newStart) return { lines: [] };
    for (const line of known) checkStart(line, newStart);
    return { lines: known.length === 1 ? known.flatMap((line) => dateLines(line, newStart)) : [] };
  }
  if (event.recurringEventId) throw new BronError("invalid_arguments", `One occurrence has no rule of its own: change the series ${event.recurringEventId}.`);
  if (!start || !before) throw new BronError("invalid_arguments", "This event has no time that could be repeated.");
  const rule = readRule(recurrence, start);
  const was = known.map((line) => ruleInWords(line, before)).join(", ");
  return { rule, lines: [`Repeats: ${was || "not"} → ${ruleInWords(rule, start)}`, ...dateLines(rule, start)] };
}
