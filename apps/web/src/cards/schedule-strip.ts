import { visible, type NearbySchedule } from "@bron/protocol";
import { texts } from "../texts.ts";

export interface Slot {
  readonly kind: "hour" | "busy" | "clash" | "this";
  /** Shares of the strip. */
  readonly from: number;
  readonly width: number;
  readonly label: string;
}

/** Hours of a usual day. Earlier and later ones are shown if something is then. */
const dayHours = { first: 8, last: 19 } as const;
const minutesADay = 24 * 60;

/**
 * Lays the events of a day out on a line. All times have the offset of the same zone, so their clock
 * times can be compared. Events of a whole day are left out: they take no time.
 */
export function scheduleStrip(
  events: NearbySchedule["events"],
  wanted: { readonly start: string; readonly end: string },
): readonly Slot[] {
  const day = wanted.start.slice(0, 10);
  const span = (start: string, end: string) => ({
    from: minuteOf(start, day),
    to: minuteOf(end, day),
  });
  const own = span(wanted.start, wanted.end);
  const taken = events
    .filter(({ start }) => start.includes("T"))
    .map(({ title, start, end, clashes }) => ({
      kind: clashes ? ("clash" as const) : ("busy" as const),
      label: `${clockSpan(start, end)} ${visible(title)}`,
      ...span(start, end),
    }));
  const all = [own, ...taken];
  const first = Math.min(dayHours.first, ...all.map(({ from }) => Math.floor(from / 60)));
  const last = Math.max(dayHours.last, ...all.map(({ to }) => Math.ceil(to / 60)));
  const whole = (last - first) * 60;
  const place = ({ from, to }: { readonly from: number; readonly to: number }) => ({
    from: (from - first * 60) / whole,
    width: (Math.max(to, from + 15) - from) / whole,
  });
  const step = last - first > 12 ? 4 : 2;
  const hours = Array.from({ length: Math.ceil((last - first) / step) }, (_, index) => {
    const hour = first + index * step;
    return {
      kind: "hour" as const,
      label: `${hour}:00`,
      ...place({ from: hour * 60, to: Math.min(last, hour + step) * 60 }),
    };
  });
  return [
    ...hours,
    ...taken.map((slot) => ({ kind: slot.kind, label: slot.label, ...place(slot) })),
    { kind: "this", label: texts.approval.background.thisEvent, ...place(own) },
  ];
}

/** Minutes since the start of the day. What began before, or ends after it, is cut off. */
function minuteOf(time: string, day: string): number {
  const date = time.slice(0, 10);
  if (date < day) return 0;
  if (date > day) return minutesADay;
  return Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
}

/** "14:30–15:30" in the time zone of the event. */
export function clockSpan(start: string, end: string): string {
  return `${start.slice(11, 16)}–${end.slice(11, 16)}`;
}
