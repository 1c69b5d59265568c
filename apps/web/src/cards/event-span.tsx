interface Span {
  readonly start: string;
  readonly end: string;
  /** Where it is known by name; the offset is in the texts. */
  readonly timeZone?: string | undefined;
}

/** An event at its own time, as the answer and the approval say it, wherever it is read. The reader's own time is in the hint. */
export function EventSpan({ start, end, timeZone }: Span) {
  return (
    <time dateTime={start} title={new Date(start).toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" })}>
      {spanInWords({ start, end, timeZone })}
    </time>
  );
}

/** "30 Mar 2027, 09:00 – 09:45 (Europe/Berlin, UTC+02:00)": dates in the reader's words, clocks as they are in the ISO texts. */
export function spanInWords({ start, end, timeZone, locale }: Span & { readonly locale?: string }): string {
  const words = (iso: string, styles: Intl.DateTimeFormatOptions) => new Date(`${iso.slice(0, 16)}Z`).toLocaleString(locale, { ...styles, timeZone: "UTC" });
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const [from, to] = [offsetOf(start), offsetOf(end)];
  const first = words(start, { dateStyle: "medium", timeStyle: "short" });
  const last = words(end, { ...(isOneDay ? {} : { dateStyle: "medium" }), timeStyle: "short" });
  return `${first} – ${last} (${[timeZone, from === to ? from : `${from} – ${to}`].filter(Boolean).join(", ")})`;
}

function offsetOf(iso: string): string {
  const [offset = ""] = /[+-]\d{2}:\d{2}$/.exec(iso) ?? [];
  return `UTC${offset}`;
}
