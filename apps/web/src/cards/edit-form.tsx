import type { JsonObject, JsonValue } from "@bron/protocol";
import { useState } from "react";
import { texts } from "../texts.ts";

interface EditFormProps {
  /** The fields that can be edited, as they stand. */
  readonly editable: JsonObject;
  readonly isBusy: boolean;
  onSave(changes: JsonObject): void;
  onCancel(): void;
}

const long: ReadonlySet<string> = new Set(["bodyText", "description"]);

/** One field for each; people, one to a line. What is saved is asked about again. */
export function EditForm({ editable, isBusy, onSave, onCancel }: EditFormProps) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>(() => Object.fromEntries(Object.entries(editable).map(([field, value]) => [field, toText(value)])));
  const changes = Object.fromEntries(Object.entries(editable).flatMap(([field, value]) => (typed[field] === toText(value) ? [] : [[field, fromText(typed[field] ?? "", value)]])));
  return (
    <form
      className="edit"
      aria-label={texts.approval.edit}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(changes);
      }}
    >
      {Object.entries(editable).map(([field, value]) => {
        const props = { value: typed[field] ?? "", disabled: isBusy, onChange: ({ target }: { target: { value: string } }) => setTyped((before) => ({ ...before, [field]: target.value })) };
        return (
          <label key={field}>
            {texts.approval.fields[field] ?? field}
            {Array.isArray(value) && <span className="quiet"> {texts.approval.onePerLine}</span>}
            {Array.isArray(value) || long.has(field) ? <textarea rows={Array.isArray(value) ? Math.max(1, value.length + 1) : 10} {...props} /> : <input {...props} />}
          </label>
        );
      })}
      <div className="row">
        <button type="submit" className="main" disabled={isBusy || Object.keys(changes).length === 0}>
          {texts.approval.save}
        </button>
        <button type="button" disabled={isBusy} onClick={onCancel}>
          {texts.approval.keep}
        </button>
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
