import { Temporal } from "temporal-polyfill";
import { dayOfTime, sayDay } from "../when/say-when.ts";
import {
  call,
  findDays,
  learnToday,
  emailResult,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { minutesOn, readEvents, type CalendarEvent } from "./calendar-results.ts";
import type { CalendarTask } from "./calendar-task.ts";
import { calendarWordsIn, sayDays, sayHours, sayOnDays, sayOnWhen } from "./calendar-words.ts";
import { distinctEvents, matchingEvents, specificWords } from "./choose-event.ts";
import { overlaps } from "./free-gaps.ts";

export const maxEvents = 100;
const searchDays = 180;

/** Lists the events of the wanted days. */
export function* runAgenda(
  {
    days: wantedDays,
    hours,
    words: searchWords,
    emailRequest,
  }: Extract<CalendarTask, { kind: "agenda" }>,
  context: FlowContext,
): WorkspaceFlow {
  const days = yield* findDays(wantedDays, context);
  if (days === undefined) return;
  const words = calendarWordsIn(context.language);
  const period = sayDays(days, context.language);
  const on = sayOnDays(days, context.language);
  const found = yield* call(
    {
      role: "events",
      args: { from: days.from.toString(), to: days.to.toString(), maxResults: maxEvents },
      detail: period,
    },
    context,
  );
  if (found === undefined) return;
  const { events, hasMore } = readEvents(found.value);
  const inHours =
    hours === undefined ? events : events.filter((event) => event.allDay || isWithin(event, hours));
  const matching = searchWords.length === 0 ? inHours : matchingEvents(inHours, searchWords);
  const shown = matching.length > 0 ? matching : inHours;
  const head =
    shown.length === 0
      ? words.nothingOn(on)
      : matching.length === 0
        ? words.noneAbout(searchWords.join(" "), on)
        : wantedDays.kind === "days" && wantedDays.count > 1
          ? words.agendaAhead(wantedDays.count)
          : words.agenda(period);
  const lines = [
    head,
    ...listEvents(shown, !days.from.equals(days.to), context),
    ...(hasMore ? [words.more] : []),
  ];
  context.report.add(...lines);
  yield* emailResult({ subject: words.subject(period), lines }, emailRequest, context);
}

/** Says when the next events that match the words take place. */
export function* runFind(
  { words: searchWords }: Extract<CalendarTask, { kind: "find" }>,
  context: FlowContext,
): WorkspaceFlow {
  const today = yield* learnToday(context);
  if (today === undefined) return;
  const words = calendarWordsIn(context.language);
  const span = { from: today, to: today.add({ days: searchDays }) };
  const found = yield* call(
    {
      role: "events",
      args: {
        query: specificWords(searchWords).join(" "),
        from: span.from.toString(),
        to: span.to.toString(),
        maxResults: 20,
      },
      detail: searchWords.join(" "),
    },
    context,
  );
  if (found === undefined) return;
  const matching = distinctEvents(matchingEvents(readEvents(found.value).events, searchWords));
  if (matching.length === 0)
    return context.report.add(
      words.notThere(searchWords.join(" "), sayOnDays(span, context.language)),
    );
  context.report.add(
    ...matching
      .slice(0, 5)
      .map((event) => words.found(event.summary, sayOnWhen(event, context.language))),
  );
}

function isWithin(
  event: CalendarEvent,
  hours: { readonly start: number; readonly end: number },
): boolean {
  const day = dayOfTime(event.start);
  const span = day && minutesOn(day, event);
  return span !== undefined && overlaps(span, hours);
}

/** One line per event, grouped under its day if `byDay` is set. */
export function listEvents(
  events: readonly CalendarEvent[],
  byDay: boolean,
  { language }: Pick<FlowContext, "language">,
): readonly string[] {
  const words = calendarWordsIn(language);
  const line = (event: CalendarEvent) =>
    `- ${event.allDay ? words.allDay : sayHours(event, language)} ${event.summary}${event.location === "" ? "" : ` (${event.location})`}`;
  if (!byDay) return events.map(line);
  const days = [...new Set(events.map(({ start }) => dayOfTime(start)?.toString() ?? ""))];
  return days.flatMap((day) => [
    sayDay(Temporal.PlainDate.from(day), language),
    ...events.filter(({ start }) => dayOfTime(start)?.toString() === day).map(line),
  ]);
}
