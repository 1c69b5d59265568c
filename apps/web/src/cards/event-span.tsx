import { texts } from "../texts.ts";
import { inZone, isDay, isMoment, isZone, offsetAt } from "./zoned-time.ts";

export interface Span {
  readonly start: string;
  readonly end: string;
  /** Where it is known by name; the offset is in the texts. */
  readonly timeZone?: string | undefined;
}

/** An event at its own time, as the answer and the approval say it, wherever it is read; and at the reader's, where that is another one. */
export function EventSpan({ start, end, timeZone }: Span) {
  const here = hereInWords({ start, end });
  return (
    <time
      dateTime={start}
      title={new Date(start).toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })}
    >
      {spanInWords({ start, end, timeZone })}
      {here !== undefined && `, ${here}`}
    </time>
  );
}

interface Reading {
  readonly locale?: string | undefined;
  readonly readerZone?: string;
}

/** "30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)": dates in the reader's words, clocks as they are in the ISO texts. */
export function spanInWords({ start, end, timeZone, locale }: Span & Reading): string {
  const [from, to] = [offsetOf(start), offsetOf(end)];
  return `${wordsOf(start, { withDay: true, locale })} – ${wordsOf(end, { withDay: start.slice(0, 10) !== end.slice(0, 10), locale })} (${[timeZone, from === to ? from : `${from} – ${to}`].filter(Boolean).join(", ")})`;
}

/** "03:00 – 03:45 for you", with the day if that is another one; undefined for a reader whose clock shows the event's own time. */
export function hereInWords({
  start,
  end,
  locale,
  readerZone = ownZone(),
}: Omit<Span, "timeZone"> & Reading): string | undefined {
  const [from, to] = [inZone(Date.parse(start), readerZone), inZone(Date.parse(end), readerZone)];
  if (from.slice(0, 16) === start.slice(0, 16) && to.slice(0, 16) === end.slice(0, 16))
    return undefined;
  const first = wordsOf(from, { withDay: from.slice(0, 10) !== start.slice(0, 10), locale });
  return texts.cards.forYou(
    start === end
      ? first
      : `${first} – ${wordsOf(to, { withDay: to.slice(0, 10) !== from.slice(0, 10), locale })}`,
  );
}

/** "15:00 – 16:00 in Berlin, 09:00 – 10:00 for you"; undefined where both are the same. */
export function bothInWords({
  start,
  end,
  timeZone,
  ...reading
}: Span & Reading): string | undefined {
  const here = hereInWords({ start, end, ...reading });
  const place = timeZone === undefined ? offsetOf(start) : cityOf(timeZone);
  return (
    here &&
    `${texts.cards.clockIn(`${wordsOf(start, reading)} – ${wordsOf(end, { ...reading, withDay: start.slice(0, 10) !== end.slice(0, 10) })}`, place)}, ${here}`
  );
}

/** Of a form's field: where its clock stands, and what that is for the reader. */
export function fieldInWords(moment: string, zone: string, reading: Reading = {}): string {
  const here = isMoment(moment)
    ? hereInWords({ start: moment, end: moment, ...reading })
    : undefined;
  const place = `${zone}${isMoment(moment) && isZone(zone) ? `, UTC${offsetAt(Date.parse(moment), zone)}` : ""}`;
  return here === undefined ? place : `${place}; ${here}`;
}

/** A field's text for a difference: exact, but no machine's spelling. */
export function timeInWords(text: string, locale?: string): string {
  if (isDay(text))
    return new Date(`${text}T00:00:00Z`).toLocaleDateString(locale, {
      dateStyle: "medium",
      timeZone: "UTC",
    });
  if (!isMoment(text)) return text;
  const isWhole = /T\d{2}:\d{2}(?::00(?:\.0+)?)?(?:Z|[+-])/i.test(text);
  return isWhole ? `${wordsOf(text, { withDay: true, locale })} (${offsetOf(text)})` : text;
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
