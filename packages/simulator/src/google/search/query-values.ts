/**
 * The time of an age such as "7d", "2m", "1y" or the undocumented "12h", in milliseconds since
 * 1970.
 */
export function ageBoundary(value: string, now: Date): number | undefined {
  const [, digits, unit] = /^(\d{1,6})([hdmy])$/i.exec(value) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const amount = Number(digits);
  const boundary = new Date(now);
  if (unit.toLowerCase() === "h") boundary.setTime(boundary.getTime() - amount * 3_600_000);
  else if (unit.toLowerCase() === "d") boundary.setTime(boundary.getTime() - amount * 86_400_000);
  else backByMonths(boundary, unit.toLowerCase() === "m" ? amount : amount * 12);
  return boundary.getTime();
}

/** One month before March 31 is the last day of February. */
function backByMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
}

/**
 * The start of a day in UTC, or a time in seconds since 1970: "2026/11/05", "2026-11-5",
 * "1793836800".
 */
export function dayBoundary(value: string): number | undefined {
  if (/^\d{9,11}$/.test(value)) return Number(value) * 1000;
  const [, year, month, day] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day));
  return new Date(at).getUTCDate() === Number(day) && Number(month) <= 12 ? at : undefined;
}

const units: Readonly<Record<string, number>> = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Bytes: "1000000", "500K", "10M". */
export function parseSize(value: string): number | undefined {
  const [, digits, unit = ""] = /^(\d{1,12})([kmg]?)b?$/i.exec(value) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[unit.toLowerCase()] ?? 1);
}
