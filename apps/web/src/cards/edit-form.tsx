import type { JsonObject, JsonValue } from "@bron/protocol";
import { useEffect, useRef, useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { inputClass } from "../ui/field.tsx";
import { DifferenceList } from "./difference-list.tsx";

interface EditFormProps {
  /** The fields that can be edited, as they stand. */
  readonly editable: JsonObject;
  readonly isBusy: boolean;
  onSave(changes: JsonObject): void;
  onCancel(): void;
}

const long: ReadonlySet<string> = new Set(["bodyText", "description"]);

/** One field for each; people, one to a line. The difference stands below as it is typed. What is saved is asked about again. */
export function EditForm({ editable, isBusy, onSave, onCancel }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(Object.entries(editable).map(([field, value]) => [field, toText(value)])));
  const changed = Object.entries(editable).filter(([field, value]) => typed[field] !== toText(value));
  useEffect(() => form.current?.querySelector<HTMLElement>("input, textarea")?.focus(), []);
  return (
    <form
      ref={form}
      className="grid gap-3"
      aria-label={texts.approval.edit}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(Object.fromEntries(changed.map(([field, value]) => [field, fromText(typed[field] ?? "", value)])));
      }}
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      {Object.entries(editable).map(([field, value]) => {
        const props = { value: typed[field] ?? "", readOnly: isBusy, className: inputClass, onChange: ({ target }: { target: { value: string } }) => setTyped((before) => ({ ...before, [field]: target.value })) };
        return (
          <label key={field} className="grid gap-1 text-sm font-medium">
            <span>
              {texts.approval.fields[field] ?? field}
              {Array.isArray(value) && <span className="font-normal text-quiet"> {texts.approval.onePerLine}</span>}
            </span>
            {Array.isArray(value) || long.has(field) ? <textarea rows={Array.isArray(value) ? Math.max(1, value.length) : 12} {...props} /> : <input {...props} />}
          </label>
        );
      })}
      <DifferenceList difference={changed.map(([field, value]) => ({ field, before: toText(value), after: typed[field] ?? "" }))} title={texts.approval.changing} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="main" isBusy={isBusy} disabled={changed.length === 0}>
          {texts.approval.save}
        </Button>
        <Button isBusy={isBusy} onClick={onCancel}>
          {texts.approval.keep}
        </Button>
      </div>
    </form>
  );
}

function toText(value: JsonValue): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(toText).join("\n") : JSON.stringify(value);
}

function fromText(text: string, before: JsonValue): JsonValue {
  if (!Array.isArray(before)) return text;
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}
