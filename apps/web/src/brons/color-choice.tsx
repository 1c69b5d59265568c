import { useId } from "react";
import { bronsWords } from "../words/brons.ts";
import { cx } from "../ui/cx.ts";
import { colors } from "./colors.ts";

interface ColorChoiceProps {
  /** Empty for automatic. */
  readonly value: string;
  /** Offers "Automatic", which only a new Bron can have. */
  readonly canBeAny: boolean;
  onChange(value: string): void;
}

/** Named swatches, and the browser's picker for any other color. */
export function ColorChoice({ value, canBeAny, onChange }: ColorChoiceProps) {
  const name = useId();
  const isOwn = value !== "" && colors.every((color) => color.value !== value);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium">{bronsWords.color}</legend>
      <div className="flex flex-wrap items-center gap-2">
        {canBeAny && (
          <label
            className={cx(
              "relative flex h-9 cursor-pointer items-center rounded-full border px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent",
              value === "" ? "border-ink" : "border-edge text-quiet",
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={value === ""}
              onChange={() => onChange("")}
            />
            {bronsWords.automaticColor}
          </label>
        )}
        {colors.map((color) => (
          <label
            key={color.value}
            title={color.name}
            style={{ backgroundColor: color.value }}
            className={cx(
              "relative size-9 cursor-pointer rounded-full border-2 border-surface has-focus-visible:outline-2 has-focus-visible:outline-accent",
              color.value === value && "ring-2 ring-ink",
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={color.value === value}
              onChange={() => onChange(color.value)}
            />
            <span className="sr-only">{color.name}</span>
          </label>
        ))}
        <label
          className={cx(
            "relative flex h-9 cursor-pointer items-center gap-2 rounded-full border px-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent",
            isOwn ? "border-ink" : "border-edge text-quiet",
          )}
        >
          {isOwn && (
            <span
              aria-hidden="true"
              style={{ backgroundColor: value }}
              className="size-4 rounded-full"
            />
          )}
          {bronsWords.customColor}
          <input
            type="color"
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            value={value === "" ? colors[0].value : value}
            onChange={({ target }) => onChange(target.value)}
          />
        </label>
      </div>
    </fieldset>
  );
}
