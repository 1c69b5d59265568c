/** Event times are local times with their UTC offset, in the zone of the event. */

export const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);
/** A date and time with a UTC offset. */
export const isMoment = (text: string) =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/i.test(text) &&
  !Number.isNaN(Date.parse(text));

/** The first and last year that the calendar accepts. */
export const years = { first: 1900, last: 2200 } as const;

/** "+02:00" */
export function offsetAt(ms: number, zone: string): string {
  const words =
    new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" })
      .formatToParts(ms)
      .find(({ type }) => type === "timeZoneName")?.value ?? "";
  return /[+-]\d{2}:\d{2}/.exec(words)?.[0] ?? "+00:00";
}

/** The local time of a zone with its offset: "2031-05-05T09:00:00+02:00". */
export function inZone(ms: number, zone: string): string {
  const offset = offsetAt(ms, zone);
  return `${new Date(ms + minutesIn(offset) * 60_000).toISOString().slice(0, 19)}${offset}`;
}

/**
 * The possible offsets of a local time, earlier moment first. None if clocks skip the time, two if
 * clocks go back over it.
 */
export function offsetsOf(local: string, zone: string): string[] {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return [];
  const dayMs = 86_400_000;
  const nearbyOffsets = new Set([offsetAt(asUtc - dayMs, zone), offsetAt(asUtc + dayMs, zone)]);
  return [...nearbyOffsets]
    .filter((offset) => offsetAt(asUtc - minutesIn(offset) * 60_000, zone) === offset)
    .toSorted((a, b) => minutesIn(b) - minutesIn(a));
}

/**
 * Adds the offset to the value of a picker. A time that does not exist is returned unchanged. A time
 * that occurs twice keeps the offset of `before`.
 */
export function momentOf(local: string, zone: string, before: string): string {
  const offsets = offsetsOf(local, zone);
  const offset = offsets.find((candidate) => before.endsWith(candidate)) ?? offsets[0];
  return offset === undefined ? local : `${local.length === 16 ? `${local}:00` : local}${offset}`;
}

/** The end that keeps the duration when the start moves. */
export function movedAlong(
  end: string,
  { from, to, zone }: { readonly from: string; readonly to: string; readonly zone: string },
): string {
  if (isDay(end) && isDay(from) && isDay(to))
    return new Date(Date.parse(end) + Date.parse(to) - Date.parse(from)).toISOString().slice(0, 10);
  return isMoment(end) && isMoment(from) && isMoment(to)
    ? inZone(Date.parse(end) + Date.parse(to) - Date.parse(from), zone)
    : end;
}

export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: zone }));
  } catch {
    return false;
  }
}

function minutesIn(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
