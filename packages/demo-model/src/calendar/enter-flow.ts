import { foldText } from "../reading/fold-text.ts";
import { localTime } from "../when/say-when.ts";
import {
  change,
  findDays,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { readEvent } from "./calendar-results.ts";
import type { EnterTask } from "./calendar-task.ts";
import { calendarWordsIn, sayOnWhen } from "./calendar-words.ts";

const fullDayMinutes = 1_440;
/** Events that last an hour by default. Others last half an hour. */
const hourLongEvent =
  /\b(?:lunch|dinner|breakfast|meeting|workshop|interview|mittagessen|abendessen|fruhstuck|besprechung|treffen|dejeuner|diner|reunion|entretien)\b/;

/** Adds one event. The owner approves exactly these details. */
export function* runEnter(
  { title, days: wantedDays, hours, length, guests, guestsWithoutAddress }: EnterTask,
  context: FlowContext,
): WorkspaceFlow {
  const words = calendarWordsIn(context.language);
  if (title === "") return context.report.add(words.whichTitle);
  if (wantedDays === undefined) return context.report.add(words.whichDay);
  if (hours === undefined && length !== fullDayMinutes) return context.report.add(words.whichTime);
  const days = yield* findDays(wantedDays, context, "next");
  if (days === undefined) return;
  if (hours !== undefined && !days.from.equals(days.to))
    return context.report.add(words.severalDays);
  const minutes = length ?? (hourLongEvent.test(foldText(title)) ? 60 : 30);
  const when =
    hours === undefined
      ? { start: days.from.toString(), end: days.to.toString() }
      : {
          start: localTime(days.from, hours.start),
          ...(hours.end !== undefined && hours.end > hours.start
            ? { end: localTime(days.from, hours.end) }
            : { durationMinutes: minutes }),
        };
  const made = yield* change(
    {
      role: "enterEvent",
      args: { summary: title, ...when, ...(guests.length === 0 ? {} : { guests }) },
      detail: title,
    },
    words.nothingEntered,
    context,
  );
  if (made === undefined) return;
  const event = readEvent(made.value);
  context.report.add(words.entered(event.summary || title, sayOnWhen(event, context.language)));
  if (event.people.length > 0) context.report.add(words.guests(event.people.join(", ")));
  if (guestsWithoutAddress.length > 0)
    context.report.add(words.noAddress(guestsWithoutAddress.join(", ")));
  if ("durationMinutes" in when && length === undefined)
    context.report.add(words.assumedLength(minutes));
}
