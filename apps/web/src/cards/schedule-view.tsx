import { visible, type JsonObject, type JsonValue, type NearbySchedule } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { timesOf } from "./prepared-event.ts";
import { clockSpan, scheduleStrip, type Slot } from "./schedule-strip.ts";

interface ClashesProps {
  readonly schedule: NearbySchedule;
  readonly isBusy: boolean;
  /** Changes the time of the event. Undefined where the request cannot be edited. */
  readonly onMove: ((changes: JsonObject) => void) | undefined;
}

/** What the event overlaps, and the next free time for it. Nothing if it overlaps nothing. */
export function Clashes({ schedule, isBusy, onMove }: ClashesProps) {
  const { background } = texts.approval;
  const { events, nextFree } = schedule;
  const clashes = events.filter((event) => event.clashes);
  if (clashes.length === 0) return null;
  return (
    <div role="alert" className="mb-4 rounded-lg border border-bad bg-bad-soft px-3 py-2">
      <ul className="grid gap-1">
        {clashes.map(({ title, start, end }) => (
          <li key={`${start} ${title}`} className="font-medium wrap-anywhere text-bad">
            {background.overlaps(titleOf(title), clockSpan(start, end))}
          </li>
        ))}
      </ul>
      {nextFree && onMove && (
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm">
          <span>{background.nextFree}</span>
          <Button isBusy={isBusy} onClick={() => onMove({ ...nextFree })}>
            {background.moveTo(clockSpan(nextFree.start, nextFree.end))}
          </Button>
        </p>
      )}
    </div>
  );
}

interface ScheduleViewProps {
  readonly schedule: NearbySchedule;
  readonly prepared: JsonValue;
}

/** What else the calendar has around the time of an event. */
export function ScheduleView({ schedule: { events, timeZone }, prepared }: ScheduleViewProps) {
  const { background } = texts.approval;
  const times = timesOf(prepared);
  return (
    <section aria-label={background.day} className="mt-3 grid gap-2 border-t border-edge pt-3">
      {events.every(({ clashes }) => !clashes) && (
        <p className="text-sm text-good">{background.free}</p>
      )}
      {times && <Strip slots={scheduleStrip(events, times)} />}
      <p className="text-xs text-quiet">{background.zone(visible(timeZone))}</p>
    </section>
  );
}

const titleOf = (title: string) =>
  title.trim() === "" ? texts.approval.background.untitled : visible(title);

/** A narrower one has no room for its label, which pointing at it shows. */
const labelWidth = 0.12;

/** The day as a line: what is taken, and where the event would be. */
function Strip({ slots }: { readonly slots: readonly Slot[] }) {
  return (
    <ol
      aria-label={texts.approval.background.day}
      className="relative m-0 h-12 list-none overflow-hidden rounded-lg border border-edge bg-raised p-0"
    >
      {slots.map((slot) => (
        <li
          key={`${slot.kind} ${slot.from} ${slot.label}`}
          title={slot.label}
          style={{ insetInlineStart: `${slot.from * 100}%`, width: `${slot.width * 100}%` }}
          className={cx(
            "absolute overflow-hidden rounded text-[0.7rem] leading-4 whitespace-nowrap",
            slot.kind === "hour" && "inset-y-0 border-l border-edge pl-1 text-quiet",
            slot.kind === "busy" && "top-5 bottom-1 bg-edge px-1 text-ink",
            slot.kind === "clash" && "top-5 bottom-1 border border-bad bg-bad-soft px-1 text-bad",
            slot.kind === "this" &&
              "top-4 bottom-0.5 border-2 border-accent bg-transparent px-1 text-transparent",
          )}
        >
          <span aria-hidden="true">
            {slot.kind === "hour" || slot.width > labelWidth ? slot.label : ""}
          </span>
          <span className="sr-only">{slot.kind === "hour" ? "" : slot.label}</span>
        </li>
      ))}
    </ol>
  );
}
