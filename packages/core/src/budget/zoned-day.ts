/** The date in a time zone: "2026-11-20". */
export function dayIn(zone: string, time: number): string {
  return new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).format(time);
}
