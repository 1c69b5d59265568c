import { Field, inputClass } from "../ui/field.tsx";

interface SelectProps<T extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly value: T;
  readonly options: readonly { readonly value: NoInfer<T>; readonly name: string }[];
  onChange(value: NoInfer<T>): void;
}

/** A list of choices with its label. */
export function Select<T extends string>({
  label,
  hint,
  value,
  options,
  onChange,
}: SelectProps<T>) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select
          {...ids}
          value={value}
          onChange={({ target }) =>
            onChange(options.find((option) => option.value === target.value)?.value ?? value)
          }
          className={inputClass}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
