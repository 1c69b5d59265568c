const units: readonly (readonly [name: string, ms: number])[] = [
  ["day", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
];

/** "3 days", "2h", "45s": rounded, in the largest unit that fits. */
function roughly(ms: number): string {
  const [name, size] = units.find(([, unit]) => ms >= unit) ?? ["s", 1_000];
  const amount = Math.round(ms / size);
  return name === "day" ? `${amount} day${amount > 1 ? "s" : ""}` : `${amount}${name}`;
}

export function ago(iso: string, now: Date): string {
  const ms = now.getTime() - Date.parse(iso);
  return ms < 1_000 ? "just now" : `${roughly(ms)} ago`;
}

export function until(iso: string, now: Date): string {
  const ms = Date.parse(iso) - now.getTime();
  return ms <= 0 ? "now" : `in ${roughly(ms)}`;
}

/** "14:05:09", in local time. */
export function clockTime(iso: string): string {
  return localTime(iso).slice(11);
}

/** Local time, to the second. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)}s`;
}
