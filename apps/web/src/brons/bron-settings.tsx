import { visible, type BronView, type ChangedBron } from "@bron/protocol";
import { useState } from "react";
import { TrustChoice } from "../permissions/trust-choice.tsx";
import { texts } from "../texts.ts";
import { bronsWords } from "../words/brons.ts";
import { trustWords } from "../words/trust.ts";
import { Button } from "../ui/button.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { BronMemory } from "../memory/bron-memory.tsx";
import { ColorChoice } from "./color-choice.tsx";
import { ModelSelect } from "./model-select.tsx";
import { PersonaNote } from "./persona-note.tsx";
import { useChangedBron } from "./use-changed-bron.ts";

/** The profile, memory and trust level of a Bron. */
export function BronSettings({ bron }: { readonly bron: BronView }) {
  const change = useChangedBron(bron.id);
  return (
    <div className="grid grid-cols-1 gap-5">
      <Refused error={change.error} />
      <Panel title={bronsWords.profile}>
        <ProfileForm bron={bron} change={change} />
      </Panel>
      <BronMemory bron={bron} change={change} />
      <Panel title={trustWords.title}>
        <TrustChoice
          name={visible(bron.name)}
          level={bron.trustLevel}
          onChange={(trustLevel) => change.mutate({ trustLevel })}
        />
      </Panel>
    </div>
  );
}

interface ProfileFormProps {
  readonly bron: BronView;
  readonly change: ReturnType<typeof useChangedBron>;
}

/** Live updates of the Bron do not discard typed text. */
function ProfileForm({ bron, change }: ProfileFormProps) {
  const [draft, setDraft] = useState<ChangedBron>({});
  const values = { ...bron, ...draft };
  const { name, avatarColor, systemPrompt, memorySummary, model } = values;
  const set = (fields: ChangedBron) => setDraft((before) => ({ ...before, ...fields }));
  const changed = changedFields(bron, draft);
  const isChanged = Object.keys(changed).length > 0;
  const save = () => {
    setDraft({});
    // Keep the typed text if the server rejects it.
    change.mutate(changed, () => setDraft(changed));
  };
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label={bronsWords.name}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={({ target }) => set({ name: target.value })}
            className={inputClass}
          />
        )}
      </Field>
      <ColorChoice
        canBeAny={false}
        value={avatarColor ?? ""}
        onChange={(color) => set({ avatarColor: color })}
      />
      <div className="grid grid-cols-1 gap-2">
        <LongText
          label={bronsWords.instructions}
          hint={bronsWords.instructionsHint}
          maxLength={20_000}
          value={systemPrompt}
          placeholder={bronsWords.instructionsPlaceholder}
          onChange={(text) => set({ systemPrompt: text })}
        />
        {bron.personaSource !== "typed" &&
          bron.systemPrompt.trim() !== "" &&
          systemPrompt === bron.systemPrompt && (
            <PersonaNote
              source={bron.personaSource}
              isBusy={change.isPending}
              onConfirm={() => change.mutate({ systemPrompt: bron.systemPrompt })}
            />
          )}
      </div>
      <LongText
        label={bronsWords.memory}
        hint={bronsWords.memoryHint}
        maxLength={2_048}
        value={memorySummary}
        placeholder={bronsWords.memoryNone}
        onChange={(text) => set({ memorySummary: text })}
      />
      <ModelSelect value={model ?? null} onChange={(chosen) => set({ model: chosen })} />
      <MaxCost
        value={values.maxCostMicrousd ?? null}
        onChange={(cost) => set({ maxCostMicrousd: cost })}
      />
      <SaveBar
        isSaved={change.isSuccess && !isChanged}
        isChanged={isChanged}
        canSave={isChanged && name?.trim() !== "" && !change.isPending}
        isBusy={change.isPending}
        onDiscard={() => setDraft({})}
      />
    </form>
  );
}

function SaveBar({
  isSaved,
  isChanged,
  canSave,
  isBusy,
  onDiscard,
}: {
  readonly isSaved: boolean;
  readonly isChanged: boolean;
  readonly canSave: boolean;
  readonly isBusy: boolean;
  onDiscard(): void;
}) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <span role="status" className="mr-auto text-sm text-quiet">
        {isSaved ? texts.saved : ""}
      </span>
      {isChanged && <Button onClick={onDiscard}>{texts.discard}</Button>}
      <Button type="submit" kind="main" disabled={!canSave}>
        {isBusy ? texts.saving : texts.save}
      </Button>
    </div>
  );
}

/** Instructions that are sent count as the owner's words, so that only changed ones are. */
function changedFields(bron: BronView, draft: ChangedBron): ChangedBron {
  return Object.fromEntries(
    Object.entries(draft).filter(([key, value]) => value !== bron[key as keyof BronView]),
  );
}

/** What is typed stays as it is typed: "0.50" and not "0.5". */
function MaxCost({
  value,
  onChange,
}: {
  readonly value: number | null;
  onChange(microusd: number | null): void;
}) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: number | null }>();
  const shown = typed?.of === value ? typed.text : value === null ? "" : String(value / 1_000_000);
  return (
    <Field label={bronsWords.maxCost} hint={bronsWords.maxCostHint}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min="0"
          max="1000000"
          step="0.01"
          value={shown}
          onChange={({ target: { value: text } }) => {
            const microusd = text === "" ? null : Math.round(Number(text) * 1_000_000);
            setTyped({ text, of: microusd });
            onChange(microusd);
          }}
          className={inputClass}
        />
      )}
    </Field>
  );
}

interface LongTextProps {
  readonly label: string;
  readonly hint: string;
  readonly maxLength: number;
  readonly value: string | undefined;
  readonly placeholder: string;
  onChange(text: string): void;
}

function LongText({ label, hint, onChange, ...field }: LongTextProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <textarea
          {...ids}
          {...field}
          rows={5}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}
