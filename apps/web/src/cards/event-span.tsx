import { texts } from "../texts.ts";
import { inZone, isDay, isMoment, isZone, offsetAt } from "./zoned-time.ts";

export interface Span {
  readonly start: string;
  readonly end: string;
  /** The name of the zone, if it is known. The offset is part of the texts. */
  readonly timeZone?: string | undefined;
}

/** An event at the time of its own zone, and at the reader's time where that differs. */
export function EventSpan({ start, end, timeZone }: Span) {
  const readerTime = formatReaderTime({ start, end });
  return (
    <time
      dateTime={start}
      title={new Date(start).toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })}
    >
      {formatSpan({ start, end, timeZone })}
      {readerTime !== undefined && `, ${readerTime}`}
    </time>
  );
}

interface Reading {
  readonly locale?: string | undefined;
  readonly readerZone?: string;
}

/**
 * "30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)". Dates follow the reader's locale, clock
 * times are those of the ISO texts.
 */
export function formatSpan({ start, end, timeZone, locale }: Span & Reading): string {
  const [from, to] = [offsetOf(start), offsetOf(end)];
  return `${wordsOf(start, { withDay: true, locale })} – ${wordsOf(end, { withDay: start.slice(0, 10) !== end.slice(0, 10), locale })} (${[timeZone, from === to ? from : `${from} – ${to}`].filter(Boolean).join(", ")})`;
}

/**
 * "03:00 – 03:45 your time", with the date if it differs. Undefined for a reader whose clock shows
 * the same time as the event's.
 */
export function formatReaderTime({
  start,
  end,
  locale,
  readerZone = ownZone(),
}: Omit<Span, "timeZone"> & Reading): string | undefined {
  const [from, to] = [inZone(Date.parse(start), readerZone), inZone(Date.parse(end), readerZone)];
  if (from.slice(0, 16) === start.slice(0, 16) && to.slice(0, 16) === end.slice(0, 16))
    return undefined;
  const first = wordsOf(from, { withDay: from.slice(0, 10) !== start.slice(0, 10), locale });
  return texts.cards.yourTime(
    start === end
      ? first
      : `${first} – ${wordsOf(to, { withDay: to.slice(0, 10) !== from.slice(0, 10), locale })}`,
  );
}

/** "15:00 – 16:00 Berlin time, 09:00 – 10:00 your time". Undefined where both are the same. */
export function formatBothTimes({
  start,
  end,
  timeZone,
  ...reading
}: Span & Reading): string | undefined {
  const readerTime = formatReaderTime({ start, end, ...reading });
  if (readerTime === undefined) return undefined;
  const withDay = start.slice(0, 10) !== end.slice(0, 10);
  const times = `${wordsOf(start, reading)} – ${wordsOf(end, { ...reading, withDay })}`;
  const eventTime =
    timeZone === undefined
      ? texts.cards.timeAt(times, offsetOf(start))
      : texts.cards.timeIn(times, cityOf(timeZone));
  return `${eventTime}, ${readerTime}`;
}

/** The hint below a time field: its zone and offset, and the reader's time where it differs. */
export function formatTimeHint(moment: string, zone: string, reading: Reading = {}): string {
  const readerTime = isMoment(moment)
    ? formatReaderTime({ start: moment, end: moment, ...reading })
    : undefined;
  const eventZone = `${zone}${isMoment(moment) && isZone(zone) ? `, UTC${offsetAt(Date.parse(moment), zone)}` : ""}`;
  return readerTime === undefined ? eventZone : `${eventZone}; ${readerTime}`;
}

/** A time in a diff. It keeps everything that the ISO text says, or returns the text unchanged. */
export function formatFieldTime(text: string, locale?: string): string {
  if (isDay(text))
    return new Date(`${text}T00:00:00Z`).toLocaleDateString(locale, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  if (!isMoment(text)) return text;
  const hasNoSeconds = /T\d{2}:\d{2}(?::00(?:\.0+)?)?(?:Z|[+-])/i.test(text);
  return hasNoSeconds ? `${wordsOf(text, { withDay: true, locale })} (${offsetOf(text)})` : text;
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "New York" */
function cityOf(zone: string): string {
  return zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;
}

function wordsOf(
  iso: string,
  { withDay = false, locale }: Reading & { readonly withDay?: boolean },
): string {
  return new Date(`${iso.slice(0, 16)}Z`).toLocaleString(locale, {
    ...(withDay ? { dateStyle: "medium" } : {}),
    timeStyle: "short",
    timeZone: "UTC",
  });
}

function offsetOf(iso: string): string {
  const [offset = ""] = /[+-]\d{2}:\d{2}$/.exec(iso) ?? [];
  return `UTC${offset}`;
}
