import ical, { type CalendarResponse, type VEvent } from "node-ical";
import { decodeText } from "../decode-text.ts";
import { failure } from "../failure.ts";
import type { Output } from "../output.ts";
import { describeEvent, eventColumns, type EventColumn } from "./describe-event.ts";
import { createTimeWriter } from "./event-time.ts";
import { splitCalendar, type CalendarSections } from "./split-calendar.ts";

const maxEvents = 5_000;
const eventsBetweenReports = 200;
const tableName = "events";

/** Writes each event as a table row and as lines of text, in file order. */
export function readIcs(bytes: Uint8Array, output: Output): void {
  const { text, guess } = decodeText(bytes);
  const parts = splitCalendar(text, maxEvents);
  const { events, eventCount, others } = parts;
  if (eventCount === 0 && others.size === 0 && !/^END:VCALENDAR/im.test(text))
    throw failure({ code: "calendar_cut_off" });
  output.kind("ics");
  if (guess !== undefined) output.warn(guess);
  writeEvents(parts, output);
  if (eventCount > maxEvents)
    output.cut(
      `Truncated: only the first ${maxEvents.toLocaleString("en")} of ${eventCount.toLocaleString("en")} events were read.`,
    );
  else if (events.length < eventCount)
    output.warn("The last event is incomplete and was left out.");
  for (const [name, count] of [...others].slice(0, 5))
    output.warn(
      `The calendar also contains ${count} ${name} ${count === 1 ? "entry" : "entries"}, which ${count === 1 ? "is" : "are"} not read.`,
    );
}

function writeEvents({ head, zones, events }: CalendarSections, output: Output): void {
  const method = head.flatMap((line) => /^METHOD:(\w+)/i.exec(line)?.[1] ?? [])[0];
  const calendarName = head.flatMap((line) => /^X-WR-CALNAME[^:]*:(.*)/i.exec(line)?.[1] ?? [])[0];
  const intro = [
    ...(calendarName === undefined ? [] : [`Calendar: ${calendarName}`]),
    ...(method === undefined ? [] : [`Method: ${method.toLowerCase()}`]),
  ];
  if (intro.length > 0) output.text(`${intro.join("\n")}\n\n`);
  if (events.length > 0) output.row(tableName, eventColumns);
  const writeTime = createTimeWriter();
  let broken = 0;
  for (const [index, lines] of events.entries()) {
    if (index % eventsBetweenReports === 0) output.progress(index, events.length);
    const event = parseEvent(zones, lines);
    if (!event) broken += 1;
    else if (!writeEvent(describeEvent(event, lines, writeTime), output)) break;
  }
  output.progress(events.length, events.length);
  if (broken > 0)
    output.warn(
      `${broken === 1 ? "An event is" : `${broken} events are`} damaged and could not be read.`,
    );
}

function writeEvent(described: Readonly<Record<EventColumn, string>>, output: Output): boolean {
  const lines = eventColumns.flatMap((column) =>
    described[column] === "" ? [] : [`${column}: ${described[column]}`],
  );
  return (
    output.text(`${lines.join("\n")}\n\n`) &&
    output.row(
      tableName,
      eventColumns.map((column) => described[column]),
    )
  );
}

function parseEvent(zones: readonly string[], lines: readonly string[]): VEvent | undefined {
  const calendar = ["BEGIN:VCALENDAR", ...zones, ...lines, "END:VCALENDAR"].join("\r\n");
  try {
    const parsed: CalendarResponse = ical.sync.parseICS(calendar);
    return Object.values(parsed).find(
      (component): component is VEvent => component?.type === "VEVENT",
    );
  } catch {
    return undefined;
  }
}
