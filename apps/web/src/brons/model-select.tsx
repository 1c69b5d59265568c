import { visible, type ModelView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../live/queries.ts";
import { bronsWords } from "../words/brons.ts";
import { Field, inputClass } from "../ui/field.tsx";
import { describeModel } from "./describe-model.ts";

interface ModelSelectProps {
  /** Null for the default model. */
  readonly value: string | null;
  onChange(value: string | null): void;
}

/** Chooses one of the configured models. A model that is no longer configured stays visible. */
export function ModelSelect({ value, onChange }: ModelSelectProps) {
  const { data: models = [] } = useQuery(queries.models());
  const isGone = value !== null && !models.some(({ name }) => name === value);
  const main = models.find(({ roles }) => roles.includes("main"));
  const chosen = value === null ? main : models.find(({ name }) => name === value);
  return (
    <Field label={bronsWords.model} hint={hintOf(chosen, isGone && models.length > 0)}>
      {(ids) => (
        <select
          {...ids}
          value={value ?? ""}
          onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
          className={inputClass}
        >
          <option value="">{bronsWords.modelDefault(main && visible(main.name))}</option>
          {isGone && <option value={value}>{visible(value)}</option>}
          {models.map(({ name }) => (
            <option key={name} value={name}>
              {visible(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function hintOf(model: ModelView | undefined, isGone: boolean): string {
  if (isGone) return bronsWords.modelGone;
  return model ? describeModel(model) : bronsWords.modelHint;
}
