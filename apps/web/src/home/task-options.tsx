import { visible, type BronView, type ModelView } from "@bron/protocol";
import { texts } from "../texts.ts";

interface BronChoiceProps {
  readonly brons: readonly BronView[];
  readonly chosen: string;
  onChoose(id: string): void;
}

/** Which Bron does the task. The default one has an empty value. */
export function BronChoice({ brons, chosen, onChoose }: BronChoiceProps) {
  return (
    <label className="flex min-w-0 items-center gap-2 text-sm text-quiet">
      <span className="shrink-0">{texts.assignTo}</span>
      <select
        value={chosen}
        onChange={({ target }) => onChoose(target.value)}
        className="w-full max-w-48 min-w-0 rounded-lg border border-edge bg-surface px-2 py-1.5 text-ink"
      >
        {brons.map((bron) => (
          <option key={bron.id} value={bron.isDefault ? "" : bron.id}>
            {bron.name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ModelChoiceProps {
  readonly models: readonly ModelView[];
  readonly chosen: string;
  onChoose(model: string): void;
}

/** Which model does the task, if there are several. An empty value leaves it to the Bron. */
export function ModelChoice({ models, chosen, onChoose }: ModelChoiceProps) {
  if (models.length < 2) return null;
  return (
    <select
      aria-label={texts.composerModel}
      value={chosen}
      onChange={({ target }) => onChoose(target.value)}
      className="max-w-40 min-w-0 cursor-pointer rounded-lg border border-transparent bg-transparent px-2 py-1.5 text-sm text-quiet hover:bg-raised"
    >
      <option value="">{texts.composerDefaultModel}</option>
      {models.map(({ name }) => (
        <option key={name} value={name}>
          {visible(name)}
        </option>
      ))}
    </select>
  );
}
