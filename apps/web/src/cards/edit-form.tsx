import type { JsonObject, JsonValue } from "@bron/protocol";
import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { DiffList } from "./diff-list.tsx";
import { changedFields, changesOf, inOrder, isTime, toText, type Typed } from "./edited-fields.ts";
import { problemsOf } from "./field-problems.ts";
import { TimeField, isCompleteTime } from "./time-field.tsx";
import { isDay, movedAlong } from "./zoned-time.ts";

interface EditFormProps {
  /** The editable fields with their current values. */
  readonly editable: JsonObject;
  /** The time zone of an event. */
  readonly zone: string;
  readonly isBusy: boolean;
  onSave(changes: JsonObject): void;
  onCancel(): void;
}

const long: ReadonlySet<string> = new Set(["bodyText", "note", "text", "description"]);

/**
 * One input for each field; lists of people have one address per line. The diff is shown while the
 * owner types. A saved edit needs a new approval. A form with an invalid field is not sent.
 */
export function EditForm({ editable, zone, isBusy, onSave, onCancel }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Typed>(() =>
    Object.fromEntries(Object.entries(editable).map(([field, value]) => [field, toText(value)])),
  );
  const [isTried, setIsTried] = useState(false);
  const type = useTyping(typed, setTyped, zone);
  const changed = changedFields(editable, typed);
  const problems = problemsOf(editable, typed);
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  const save = () => {
    if (changed.length === 0) return;
    if (Object.keys(problems).length === 0) return onSave(changesOf(editable, typed));
    flushSync(() => setIsTried(true));
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  };
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-3"
      aria-label={texts.approval.edit}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      {inOrder(editable).map(([field, value]) => {
        const label = texts.approval.fields[field] ?? field;
        const common = {
          label,
          value: typed[field] ?? "",
          problem: isTried ? problems[field] : undefined,
          readOnly: isBusy,
          onChange: (next: string) => type(field, next),
        };
        return isTime(field, value) ? (
          <TimeField key={field} {...common} isAllDay={isDay(value)} zone={zone} />
        ) : (
          <TextField key={field} {...common} field={field} before={value} />
        );
      })}
      <DiffList
        diff={changed.map((field) => ({
          field,
          before: toText(editable[field] ?? ""),
          after: typed[field] ?? "",
        }))}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="main" isBusy={isBusy} disabled={changed.length === 0}>
          {texts.approval.save}
        </Button>
        <Button isBusy={isBusy} onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}

interface TextFieldProps {
  readonly field: string;
  readonly before: JsonValue;
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly readOnly: boolean;
  onChange(value: string): void;
}

function TextField({ field, before, label, value, problem, readOnly, onChange }: TextFieldProps) {
  const why = useId();
  const isList = Array.isArray(before);
  const props = {
    value,
    readOnly,
    className: inputClass,
    "aria-invalid": problem !== undefined,
    "aria-describedby": problem === undefined ? undefined : why,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <div className="grid gap-1 text-sm">
      <label className="grid gap-1 font-medium">
        <span>
          {label}
          {isList && <span className="font-normal text-quiet"> {texts.approval.onePerLine}</span>}
        </span>
        {isList || long.has(field) ? (
          <textarea rows={isList ? Math.max(1, before.length) : 12} {...props} />
        ) : (
          <input {...props} />
        )}
      </label>
      {problem !== undefined && (
        <p id={why} className="text-bad wrap-anywhere">
          {problem}
        </p>
      )}
    </div>
  );
}

/** When the start of an event moves, the end moves with it, until the end is changed too. */
function useTyping(
  typed: Typed,
  setTyped: (next: Typed) => void,
  zone: string,
): (field: string, text: string) => void {
  /** The last complete start. Years are typed digit by digit, so the field may be incomplete. */
  const begins = useRef(typed["start"] ?? "");
  return (field, text) => {
    const { end } = typed;
    const isMoved = field === "start" && end !== undefined && isCompleteTime(text);
    setTyped({
      ...typed,
      [field]: text,
      ...(isMoved ? { end: movedAlong(end, { from: begins.current, to: text, zone }) } : {}),
    });
    if (isMoved) begins.current = text;
  };
}
