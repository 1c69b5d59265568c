import type { JsonValue } from "@bron/protocol";
import type { Span } from "./event-span.tsx";
import { isZone } from "./zoned-time.ts";

/**
 * The title of a prepared event as it is before the change, and whether the change is of a whole
 * series. Undefined for forms of earlier versions, which did not keep the title.
 */
export function eventNameOf(
  prepared: JsonValue,
): { readonly title: string; readonly isSeries: boolean } | undefined {
  if (!isObject(prepared) || !isObject(prepared["event"])) return undefined;
  const { eventId, iCalUID, etag } = prepared;
  // Only a form that changes an event has its tag.
  const title = etag === undefined ? prepared["event"]["summary"] : prepared["title"];
  return typeof eventId === "string" && typeof title === "string"
    ? { title, isSeries: typeof iCalUID === "string" && iCalUID !== "" }
    : undefined;
}

/** The start and end of a prepared event. Undefined for all-day events, which have no zone. */
export function timesOf(prepared: JsonValue): (Span & { readonly timeZone: string }) | undefined {
  const event = isObject(prepared) ? prepared["event"] : undefined;
  if (!isObject(event)) return undefined;
  const [start, end] = [event["start"], event["end"]];
  if (!isObject(start) || !isObject(end)) return undefined;
  const { dateTime, timeZone } = start;
  const until = end["dateTime"];
  return typeof dateTime === "string" && typeof until === "string" && typeof timeZone === "string"
    ? { start: dateTime, end: until, timeZone }
    : undefined;
}

/** The time zone of a prepared event, or UTC if it has none. */
export function zoneOf(prepared: JsonValue): string {
  const zone = timesOf(prepared)?.timeZone;
  return zone !== undefined && isZone(zone) ? zone : "UTC";
}

function isObject(value: JsonValue | undefined): value is { [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
