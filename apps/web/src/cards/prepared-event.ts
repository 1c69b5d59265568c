import type { JsonValue } from "@bron/protocol";
import type { Span } from "./event-span.tsx";
import { isZone } from "./zoned-time.ts";

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
