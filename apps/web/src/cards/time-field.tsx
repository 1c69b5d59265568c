import { useId } from "react";
import { texts } from "../texts.ts";
import { inputClass } from "../ui/field.tsx";
import { formatTimeHint } from "./event-span.tsx";
import { inZone, isDay, isMoment, momentOf, offsetsOf, years } from "./zoned-time.ts";

interface TimeFieldProps {
  readonly label: string;
  /** A date, a time with its offset, or incomplete input. */
  readonly value: string;
  /** Why the value is invalid. */
  readonly problem: string | undefined;
  readonly isAllDay: boolean;
  readonly zone: string;
  readonly readOnly: boolean;
  onChange(value: string): void;
}

/**
 * The browser's date picker, in the zone of the event. If clocks go back, the field asks which of the
 * two times is meant. A time that clocks skip is rejected.
 */
export function TimeField({
  label,
  value,
  problem,
  isAllDay,
  zone,
  readOnly,
  onChange,
}: TimeFieldProps) {
  const hint = useId();
  const common = { readOnly, required: true, className: inputClass, "aria-describedby": hint };
  if (isAllDay) {
    return (
      <div className="grid gap-1 text-sm">
        <label className="grid gap-1 font-medium">
          {label}
          <input
            {...common}
            type="date"
            min={`${years.first}-01-01`}
            max={`${years.last}-12-31`}
            aria-invalid={problem !== undefined}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        </label>
        <p id={hint} className="text-bad">
          {problem}
        </p>
      </div>
    );
  }
  const local = isMoment(value) ? inZone(Date.parse(value), zone).slice(0, 19) : value;
  const offsets = offsetsOf(local, zone);
  const isSkipped = local !== "" && offsets.length === 0;
  return (
    <div className="grid gap-1 text-sm">
      <label className="grid gap-1 font-medium">
        {label}
        <input
          {...common}
          type="datetime-local"
          min={`${years.first}-01-01T00:00`}
          max={`${years.last}-12-31T23:59`}
          step={local.slice(16) === ":00" || local.length < 19 ? undefined : 1}
          aria-invalid={isSkipped || problem !== undefined}
          value={local}
          onChange={({ target }) => onChange(momentOf(target.value, zone, value))}
        />
      </label>
      {offsets.length > 1 && (
        <label className="flex flex-wrap items-center gap-2">
          {texts.approval.comesTwice}
          <select
            disabled={readOnly}
            className={`${inputClass} w-auto`}
            value={offsets.find((offset) => value.endsWith(offset))}
            onChange={({ target }) => onChange(`${local}${target.value}`)}
          >
            {offsets.map((offset, index) => (
              <option key={offset} value={offset}>
                {texts.approval.oneOfTwo(index, `UTC${offset}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      <p
        id={hint}
        role={isSkipped ? "alert" : undefined}
        className={isSkipped || problem !== undefined ? "text-bad" : "text-quiet"}
      >
        {isSkipped ? texts.approval.noSuchTime(zone) : (problem ?? formatTimeHint(value, zone))}
      </p>
    </div>
  );
}

/** Whether the value is a complete date or time in the supported years. */
export function isCompleteTime(value: string): boolean {
  const year = Number(value.slice(0, 4));
  return (isDay(value) || isMoment(value)) && year >= years.first && year <= years.last;
}
