import type { Timing } from "@bron/protocol";

export const repeats = [
  "weekdays",
  "daily",
  "weekly",
  "monthly",
  "hourly",
  "once",
  "cron",
] as const;
type Repeat = (typeof repeats)[number];

/** What the form has, as text. */
export interface TimingForm {
  readonly repeat: Repeat;
  /** "08:00" */
  readonly time: string;
  /** 0 is Sunday. */
  readonly day: string;
  /** "2026-12-24T09:00" */
  readonly date: string;
  readonly cron: string;
}

/** The timing of the form. Undefined while a field is empty. */
export function timingOf(
  { repeat, time, day, date, cron }: TimingForm,
  zone: string,
): Timing | undefined {
  if (repeat === "once") return date === "" ? undefined : { kind: "once", expression: date, zone };
  if (repeat === "cron")
    return cron.trim() === "" ? undefined : { kind: "cron", expression: cron.trim(), zone };
  if (repeat === "hourly") return { kind: "cron", expression: "0 * * * *", zone };
  const [hour = "", minute = ""] = time.split(":");
  if (hour === "" || minute === "") return undefined;
  const at = `${Number(minute)} ${Number(hour)}`;
  const days = { weekdays: "* * 1-5", daily: "* * *", weekly: `* * ${day}`, monthly: "1 * *" };
  return { kind: "cron", expression: `${at} ${days[repeat]}`, zone };
}

export const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
