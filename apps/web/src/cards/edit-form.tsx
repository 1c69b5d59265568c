import type { JsonObject } from "@bron/protocol";
import { useEffect, useRef, useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { DifferenceList } from "./difference-list.tsx";
import { changedFields, changesOf, inOrder, isTime, toText, type Typed } from "./edited-fields.ts";
import { TimeField, isTimeWhole } from "./time-field.tsx";
import { isDay, movedAlong } from "./zoned-time.ts";

interface EditFormProps {
  /** The fields that can be edited, as they stand. */
  readonly editable: JsonObject;
  /** Of an event's times. */
  readonly zone: string;
  readonly isBusy: boolean;
  onSave(changes: JsonObject): void;
  onCancel(): void;
}

const long: ReadonlySet<string> = new Set(["bodyText", "description"]);

/** One field for each; people, one to a line. The difference stands below as it is typed. What is saved is asked about again. */
export function EditForm({ editable, zone, isBusy, onSave, onCancel }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed>(() => Object.fromEntries(Object.entries(editable).map(([field, value]) => [field, toText(value)])));
  const type = useTyping(typed, setTyped, zone);
  const changed = changedFields(editable, typed);
  const isWhole = inOrder(editable).every(([field, value]) => !isTime(field, value) || isTimeWhole(typed[field] ?? ""));
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  return (
    <form
      ref={form}
      className="grid gap-3"
      aria-label={texts.approval.edit}
      onSubmit={(event) => {
        event.preventDefault();
        if (changed.length > 0 && isWhole) onSave(changesOf(editable, typed));
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      {inOrder(editable).map(([field, value]) => {
        const label = texts.approval.fields[field] ?? field;
        const text = typed[field] ?? "";
        if (isTime(field, value)) return <TimeField key={field} label={label} value={text} isAllDay={isDay(value)} zone={zone} readOnly={isBusy} onChange={(next) => type(field, next)} />;
        const props = { value: text, readOnly: isBusy, className: inputClass, onChange: ({ target }: { target: { value: string } }) => type(field, target.value) };
        return (
          <label key={field} className="grid gap-1 text-sm font-medium">
            <span>
              {label}
              {Array.isArray(value) && <span className="font-normal text-quiet"> {texts.approval.onePerLine}</span>}
            </span>
            {Array.isArray(value) || long.has(field) ? <textarea rows={Array.isArray(value) ? Math.max(1, value.length) : 12} {...props} /> : <input {...props} />}
          </label>
        );
      })}
      <DifferenceList difference={changed.map((field) => ({ field, before: toText(editable[field] ?? ""), after: typed[field] ?? "" }))} title={texts.approval.changing} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="main" isBusy={isBusy} disabled={changed.length === 0 || !isWhole}>
          {texts.approval.save}
        </Button>
        <Button isBusy={isBusy} onClick={onCancel}>
          {texts.approval.keep}
        </Button>
      </div>
    </form>
  );
}

/** An event that begins at another time stays as long as it was, until its end is changed too. */
function useTyping(typed: Typed, setTyped: (next: Typed) => void, zone: string): (field: string, text: string) => void {
  /** The last beginning from which the length can be told: years are typed digit by digit. */
  const begins = useRef(typed["start"] ?? "");
  return (field, text) => {
    const { end } = typed;
    const isMoved = field === "start" && end !== undefined && isTimeWhole(text);
    setTyped({ ...typed, [field]: text, ...(isMoved ? { end: movedAlong(end, { from: begins.current, to: text, zone }) } : {}) });
    if (isMoved) begins.current = text;
  };
}
