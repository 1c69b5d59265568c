import {
  maxMemoryCharacters,
  memoryKinds,
  type BronView,
  type MemoryEntry,
  type MemoryKind,
} from "@bron/protocol";
import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Refused } from "../ui/refused.tsx";
import { BronSelect } from "../brons/bron-select.tsx";
import { memoryWords } from "../words/memory.ts";
import { useMemoryChanges } from "./use-memory-changes.ts";

interface MemoryFormProps {
  readonly brons: readonly BronView[];
  /** Absent for a new entry. */
  readonly entry?: MemoryEntry;
  onClose(): void;
}

export function MemoryForm({ brons, entry, onClose }: MemoryFormProps) {
  const { save } = useMemoryChanges();
  const [text, setText] = useState(entry?.text ?? "");
  const [kind, setKind] = useState<MemoryKind>(entry?.kind ?? "fact");
  const [bronId, setBronId] = useState(entry?.bronId ?? "");
  const submit = () =>
    save.mutate(
      {
        ...(entry ? { id: entry.id } : {}),
        text: text.trim(),
        kind,
        bronId: bronId === "" ? null : bronId,
      },
      { onSuccess: onClose },
    );
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) submit();
      }}
    >
      <Refused error={save.error} />
      <Field label={memoryWords.text}>
        {(ids) => (
          <textarea
            {...ids}
            required
            autoFocus
            rows={3}
            maxLength={maxMemoryCharacters}
            placeholder={memoryWords.placeholder}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={memoryWords.kind}>
          {(ids) => (
            <select
              {...ids}
              value={kind}
              onChange={({ target }) => setKind(target.value as MemoryKind)}
              className={inputClass}
            >
              {memoryKinds.map((one) => (
                <option key={one} value={one}>
                  {memoryWords.kinds[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <BronSelect label={memoryWords.forWhom} brons={brons} value={bronId} onChange={setBronId} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={text.trim() === ""} isBusy={save.isPending}>
          {entry ? texts.save : save.isPending ? memoryWords.adding : memoryWords.add}
        </Button>
      </div>
    </form>
  );
}
