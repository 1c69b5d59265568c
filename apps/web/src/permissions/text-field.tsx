import { omitUndefined } from "@bron/protocol";
import { Field, inputClass } from "../ui/field.tsx";

interface TextFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly placeholder: string;
  readonly value: string;
  readonly type?: "text" | "email";
  readonly isRequired?: boolean;
  onChange(value: string): void;
}

/** A field for a name that others chose: an address, a host, a server. */
export function TextField({
  label,
  hint,
  placeholder,
  value,
  type = "text",
  isRequired = false,
  onChange,
}: TextFieldProps) {
  return (
    <Field label={label} {...omitUndefined({ hint })}>
      {(ids) => (
        <input
          {...ids}
          type={type}
          required={isRequired}
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}
