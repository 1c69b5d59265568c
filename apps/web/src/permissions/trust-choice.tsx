import { trustLevels, type TrustLevel } from "@bron/protocol";
import { useId } from "react";
import { trustWords } from "../words/trust.ts";
import { cx } from "../ui/cx.ts";
import { useConfirm } from "../ui/use-confirm.tsx";

interface TrustChoiceProps {
  /** The Bron's name. */
  readonly name: string;
  readonly level: TrustLevel;
  onChange(level: TrustLevel): void;
}

/** The three trust levels. Raising the level needs a confirmation. */
export function TrustChoice({ name, level, onChange }: TrustChoiceProps) {
  const group = useId();
  const { ask, dialog } = useConfirm();
  const choose = (chosen: TrustLevel) => {
    if (trustLevels.indexOf(chosen) <= trustLevels.indexOf(level)) onChange(chosen);
    else
      ask({ ...trustWords.sure(name, trustWords.levels[chosen]), onYes: () => onChange(chosen) });
  };
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="sr-only">{trustWords.of(name)}</legend>
      {trustLevels.map((option) => (
        <label
          key={option}
          className={cx(
            "flex cursor-pointer gap-3 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent",
            option === level ? "border-accent bg-accent-soft" : "border-edge hover:bg-raised",
          )}
        >
          <input
            type="radio"
            name={group}
            checked={option === level}
            onChange={() => choose(option)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="min-w-0">
            <span className="block text-sm font-medium">{trustWords.levels[option].name}</span>
            <span className="block text-sm text-quiet">{trustWords.levels[option].means}</span>
          </span>
        </label>
      ))}
      {dialog}
    </fieldset>
  );
}
