import { visible, type BronView } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Field, inputClass } from "../ui/field.tsx";

interface BronSelectProps {
  readonly brons: readonly BronView[];
  /** Empty for all Brons. */
  readonly value: string;
  onChange(value: string): void;
}

export function BronSelect({ brons, value, onChange }: BronSelectProps) {
  return (
    <Field label={texts.permissions.forWhom}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        >
          <option value="">{texts.permissions.allBrons}</option>
          {brons.map(({ id, name }) => (
            <option key={id} value={id}>
              {visible(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
