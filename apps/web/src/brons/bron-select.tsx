import { visible, type BronView } from "@bron/protocol";
import { permissionsWords } from "../words/permissions.ts";
import { Field, inputClass } from "../ui/field.tsx";

interface BronSelectProps {
  readonly label?: string;
  readonly brons: readonly BronView[];
  /** Empty for all Brons. */
  readonly value: string;
  onChange(value: string): void;
}

export function BronSelect({
  label = permissionsWords.forWhom,
  brons,
  value,
  onChange,
}: BronSelectProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        >
          <option value="">{permissionsWords.allBrons}</option>
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
