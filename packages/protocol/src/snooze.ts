/** For how long an approval can be hidden, as the doors offer it. */
export const snoozeTimes = ["1h", "evening", "tomorrow"] as const;
export type SnoozeTime = (typeof snoozeTimes)[number];

const eveningHour = 18;
const morningHour = 8;

/**
 * When a snoozed approval is shown again, in the time zone of this process or browser. The evening
 * of a day that has reached it is the next one.
 */
export function snoozeUntil(time: SnoozeTime, now: Date): Date {
  if (time === "1h") return new Date(now.getTime() + 3_600_000);
  const at = (days: number, hour: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
  if (time === "tomorrow") return at(1, morningHour);
  return at(now.getHours() < eveningHour ? 0 : 1, eveningHour);
}

export function isSnoozeTime(text: string): text is SnoozeTime {
  return snoozeTimes.some((time) => time === text);
}
