import type { Temporal } from "temporal-polyfill";
import { sayDay, sayMinutes } from "../when/say-when.ts";
import {
  call,
  findDays,
  emailResult,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { listEvents, maxEvents } from "./agenda-flow.ts";
import { minutesOn, readEvents, type CalendarEvent } from "./calendar-results.ts";
import type { CalendarTask } from "./calendar-task.ts";
import { calendarWordsIn, sayDays, sayOnDays } from "./calendar-words.ts";
import { freeGaps, overlaps, type MinuteSpan } from "./free-gaps.ts";

type FreeTask = Extract<CalendarTask, { kind: "free" }>;

/** The hours that "free" means when the task names none. */
const workingHours: MinuteSpan = { start: 480, end: 1_080 };
const usualLength = 30;
const maxDays = 14;

/** Lists the gaps between events, or says whether one time is free. */
export function* runFree(
  { days: wish, window = workingHours, at, length, emailRequest }: FreeTask,
  context: FlowContext,
): WorkspaceFlow {
  const days = yield* findDays(wish, context);
  if (days === undefined) return;
  const words = calendarWordsIn(context.language);
  const found = yield* call(
    {
      role: "events",
      args: { from: days.from.toString(), to: days.to.toString(), maxResults: maxEvents },
      detail: sayDays(days, context.language),
    },
    context,
  );
  if (found === undefined) return;
  const { events, hasMore } = readEvents(found.value);
  if (at !== undefined && days.from.equals(days.to))
    return sayWhetherFree(
      { start: at.start, end: at.end ?? at.start + (length ?? usualLength) },
      days.from,
      { events, context },
    );
  const on = `${sayOnDays(days, context.language)}, ${words.between(sayMinutes(window.start), sayMinutes(window.end))}`;
  const all = daysBetween(days.from, days.to);
  // Over more than two days, weekends count only if the task asked for nothing else.
  const working = all.filter(({ dayOfWeek }) => dayOfWeek <= 5);
  const gaps = (working.length > 0 && all.length > 2 ? working : all).map((day) => ({
    day,
    gaps: freeGaps(busyOn(day, events), window, length),
  }));
  const isAllFree = gaps.every(
    ({ gaps: [first] }) => first?.start === window.start && first.end === window.end,
  );
  const allDay = events.filter((event) => event.allDay).map(({ summary }) => summary);
  const lines = [
    ...(gaps.every((day) => day.gaps.length === 0)
      ? [words.noGap(on)]
      : isAllFree
        ? [words.freeAllTime(on)]
        : [words.free(on), ...gaps.flatMap((day) => gapLines(day, all.length > 1, context))]),
    ...(allDay.length === 0 ? [] : [words.allDayToo([...new Set(allDay)].join(", "))]),
    ...(hasMore ? [words.more] : []),
  ];
  context.report.add(...lines);
  yield* emailResult(
    { subject: words.subject(sayDays(days, context.language)), lines },
    emailRequest,
    context,
  );
}

/** Says whether a time is free, and lists the events that overlap it. */
export function sayWhetherFree(
  time: MinuteSpan,
  day: Temporal.PlainDate,
  { events, context }: { readonly events: readonly CalendarEvent[]; readonly context: FlowContext },
): void {
  const words = calendarWordsIn(context.language);
  const when = `${words.onDay(sayDay(day, context.language))}, ${words.gap(sayMinutes(time.start), sayMinutes(Math.min(time.end, 1_439)))}`;
  const inTheWay = events.filter((event) => {
    const span = minutesOn(day, event);
    return span !== undefined && overlaps(span, time);
  });
  context.report.add(
    inTheWay.length === 0 ? words.freeAt(when) : words.busyAt(when),
    ...listEvents(inTheWay, false, context),
  );
}

function gapLines(
  { day, gaps }: { readonly day: Temporal.PlainDate; readonly gaps: readonly MinuteSpan[] },
  withDay: boolean,
  { language }: FlowContext,
): readonly string[] {
  if (gaps.length === 0) return [];
  const lines = gaps.map(
    ({ start, end }) => `- ${calendarWordsIn(language).gap(sayMinutes(start), sayMinutes(end))}`,
  );
  return withDay ? [sayDay(day, language), ...lines] : lines;
}

function busyOn(day: Temporal.PlainDate, events: readonly CalendarEvent[]): readonly MinuteSpan[] {
  return events.flatMap((event) => minutesOn(day, event) ?? []);
}

function daysBetween(
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): readonly Temporal.PlainDate[] {
  return Array.from({ length: Math.min(maxDays, from.until(to).days + 1) }, (_, days) =>
    from.add({ days }),
  );
}
