import { schedulesWords } from "../words/schedules.ts";
import { Field, inputClass } from "../ui/field.tsx";
import { Select } from "./select.tsx";
import { repeats, type TimingForm } from "./timing-of.ts";

/** When a schedule is due, in plain language. */
export function TimingFields({
  value,
  onChange,
}: {
  readonly value: TimingForm;
  onChange(value: TimingForm): void;
}) {
  const { repeat } = value;
  const hasTime = repeat !== "hourly" && repeat !== "once" && repeat !== "cron";
  return (
    <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
      <Select
        label={schedulesWords.repeat}
        value={repeat}
        options={repeats.map((one) => ({ value: one, name: schedulesWords.repeats[one] }))}
        onChange={(chosen) => onChange({ ...value, repeat: chosen })}
      />
      {repeat === "weekly" && (
        <Select
          label={schedulesWords.day}
          value={value.day}
          options={schedulesWords.days.map((name, day) => ({ value: String(day), name }))}
          onChange={(day) => onChange({ ...value, day })}
        />
      )}
      {hasTime && (
        <Input
          type="time"
          label={schedulesWords.time}
          value={value.time}
          onChange={(time) => onChange({ ...value, time })}
        />
      )}
      {repeat === "once" && (
        <Input
          type="datetime-local"
          label={schedulesWords.date}
          value={value.date}
          onChange={(date) => onChange({ ...value, date })}
        />
      )}
      {repeat === "cron" && (
        <Input
          type="text"
          label={schedulesWords.cron}
          hint={schedulesWords.cronHint}
          value={value.cron}
          onChange={(cron) => onChange({ ...value, cron })}
        />
      )}
    </div>
  );
}

function Input({
  type,
  label,
  hint,
  value,
  onChange,
}: {
  readonly type: "time" | "datetime-local" | "text";
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  onChange(value: string): void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          type={type}
          required
          maxLength={100}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}
