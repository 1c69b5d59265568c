import { useId } from "react";
import { cx } from "./cx.ts";

interface ChoicesProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: NoInfer<T>;
    readonly name: string;
    readonly count?: number;
  }[];
  onChange(value: NoInfer<T>): void;
}

/** A segmented radio group. Arrow keys move between the options. */
export function Choices<T extends string>({ label, value, options, onChange }: ChoicesProps<T>) {
  const name = useId();
  return (
    <fieldset className="inline-flex max-w-full flex-wrap gap-0.5 rounded-xl border border-edge bg-raised p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            "relative flex min-h-9 cursor-pointer items-center gap-1.5 rounded-[0.6rem] px-3 text-sm whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent",
            option.value === value
              ? "bg-segment font-medium text-ink shadow-sm"
              : "text-quiet hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.name}
          {option.count !== undefined && <span className="text-xs text-quiet">{option.count}</span>}
        </label>
      ))}
    </fieldset>
  );
}
