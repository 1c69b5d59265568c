import { omitUndefined } from "@bron/protocol";
import type { Temporal } from "temporal-polyfill";
import type { DaySpan } from "../when/day-wish.ts";
import { dayOfTime, localTime, minutesOfTime } from "../when/say-when.ts";
import {
  call,
  change,
  findDays,
  learnToday,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import type { JsonObject } from "../wire.ts";
import { maxEvents } from "./agenda-flow.ts";
import { readEvent, readEvents, type CalendarEvent, type FoundEvents } from "./calendar-results.ts";
import type { ChangeTask, EventChange } from "./calendar-task.ts";
import { calendarWordsIn, sayOnDays, sayOnWhen, sayWhen } from "./calendar-words.ts";
import { distinctEvents, matchingEvents, specificWords } from "./choose-event.ts";

const nearDays = 13;
const farDays = 180;

/** Finds the event, says which one it uses, and changes it. */
export function* runChange(
  { words: asked, days: wish, change: wanted }: ChangeTask,
  context: FlowContext,
): WorkspaceFlow {
  const words = calendarWordsIn(context.language);
  const today = yield* learnToday(context);
  if (today === undefined) return;
  const known = { ...context, today };
  const span =
    wish === undefined
      ? { from: today, to: today.add({ days: nearDays }) }
      : yield* findDays(wish, known);
  if (span === undefined) return;
  const found = yield* lookFor(asked, { span, isFixed: wish !== undefined }, known);
  if (found === undefined) return;
  const name = asked.join(" ");
  const [event, ...others] = found.events;
  if (event === undefined)
    return context.report.add(
      words.notFound(name, wish === undefined ? "" : sayOnDays(span, context.language)),
    );
  if (others.length > 0)
    return context.report.add(
      words.which(name),
      ...found.events
        .slice(0, 10)
        .map((match) => words.line(match.summary, sayWhen(match, context.language))),
    );
  const args = yield* argumentsFor(wanted, event, { timeZone: found.timeZone, context: known });
  if (args === undefined) return;
  context.report.add(words.chosen(event.summary, sayOnWhen(event, context.language)));
  if (event.seriesId !== "") context.report.add(words.oneOfSeries);
  const made = yield* change(
    { role: "changeEvent", args: { eventId: event.eventId, ...args }, detail: event.summary },
    words.nothingChanged,
    context,
  );
  if (made === undefined) return;
  const now = readEvent(made.value);
  const title = now.summary || event.summary;
  context.report.add(
    wanted.kind === "rename"
      ? words.renamed(title)
      : wanted.kind === "guests"
        ? words.updated(title)
        : words.moved(title, sayWhen(now, context.language)),
  );
  if (wanted.kind === "guests") context.report.add(words.guests(now.people.join(", ")));
}

interface Search {
  readonly span: DaySpan;
  /** The user named the days. */
  readonly isFixed: boolean;
}

/** Reads all events of the near days first, then searches further ahead by words. */
function* lookFor(
  asked: readonly string[],
  { span, isFixed }: Search,
  context: FlowContext,
): WorkspaceFlow<FoundEvents | undefined> {
  const near = { from: span.from.toString(), to: span.to.toString(), maxResults: maxEvents };
  const far = {
    query: specificWords(asked).join(" "),
    from: near.from,
    to: span.from.add({ days: farDays }).toString(),
    maxResults: maxEvents,
  };
  for (const args of isFixed ? [near] : [near, far]) {
    const outcome = yield* call({ role: "events", args, detail: asked.join(" ") }, context);
    if (outcome === undefined) return undefined;
    const found = readEvents(outcome.value);
    const events = distinctEvents(matchingEvents(found.events, asked)).filter(
      ({ eventId }) => eventId !== "",
    );
    if (events.length > 0) return { ...found, events };
  }
  return { events: [], hasMore: false, timeZone: "" };
}

interface Place {
  /** The time zone of the times that the calendar returned. */
  readonly timeZone: string;
  readonly context: FlowContext & { readonly today: Temporal.PlainDate };
}

/** Returns undefined, and reports why, when the task does not say enough. */
function* argumentsFor(
  wanted: EventChange,
  event: CalendarEvent,
  { timeZone, context }: Place,
): WorkspaceFlow<JsonObject | undefined> {
  const zone = timeZone === "" ? {} : { timeZone };
  switch (wanted.kind) {
    case "rename":
      return { summary: wanted.title };
    case "guests":
      return {
        ...(wanted.add.length > 0 ? { addGuests: wanted.add } : {}),
        ...(wanted.remove.length > 0 ? { removeGuests: wanted.remove } : {}),
      };
    case "shift":
      return { start: shifted(event, wanted.minutes), ...(event.allDay ? {} : zone) };
    case "move": {
      const days = wanted.days && (yield* findDays(wanted.days, context, "next"));
      const day = wanted.days === undefined ? dayOfTime(event.start) : days?.from;
      if (day === undefined) return undefined;
      const minutes = wanted.hours?.start ?? minutesOfTime(event.start);
      if (minutes === undefined) return { start: day.toString() };
      if (event.allDay && wanted.hours?.end === undefined) {
        context.report.add(calendarWordsIn(context.language).whichTime);
        return undefined;
      }
      return {
        start: localTime(day, minutes),
        ...omitUndefined({
          end: wanted.hours?.end === undefined ? undefined : localTime(day, wanted.hours.end),
        }),
        ...zone,
      };
    }
  }
}

/** Counts in local time, so a change of the offset does not move the hour. */
function shifted({ start }: CalendarEvent, minutes: number): string {
  const [day, from] = [dayOfTime(start), minutesOfTime(start)];
  if (day === undefined) return start;
  if (from === undefined) return day.add({ days: Math.round(minutes / 1_440) }).toString();
  const total = from + minutes;
  const days = Math.floor(total / 1_440);
  return localTime(day.add({ days }), total - days * 1_440);
}
