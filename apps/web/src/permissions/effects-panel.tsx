import type { EffectSetting, PermissionsView } from "@bron/protocol";
import { permissionsWords } from "../words/permissions.ts";
import { boxClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Refused } from "../ui/refused.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { usePermissions } from "./use-permissions.ts";

const undoChoices = [0, 5, 10, 30, 60];
const paceChoices = [1, 5, 10, 30, 60];

/** The undo delay and the approval rate of each kind of effect. */
export function EffectsPanel({
  effects,
  defaultUndoSeconds,
}: Pick<PermissionsView, "effects" | "defaultUndoSeconds">) {
  const { setEffect } = usePermissions();
  const { ask, dialog } = useConfirm();
  const words = permissionsWords;
  const setUndo = (setting: EffectSetting, undoSeconds: number | null) => {
    const save = () => setEffect.mutate({ ...setting, undoSeconds });
    const isShorter =
      (undoSeconds ?? defaultUndoSeconds) < (setting.undoSeconds ?? defaultUndoSeconds);
    if (isShorter)
      ask({ ...words.sureUndo(words.effectGroups[setting.kind].toLowerCase()), onYes: save });
    else save();
  };
  return (
    <Panel title={words.effects}>
      <p className="mb-4 text-sm text-quiet">{words.effectsAbout}</p>
      <Refused error={setEffect.error} />
      <ul aria-label={words.effects} className="divide-y divide-edge">
        {effects.map((setting) => {
          const name = words.effectGroups[setting.kind];
          return (
            <li
              key={setting.kind}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5 text-sm"
            >
              <span className="min-w-0 flex-1 basis-48">{name}</span>
              <Choice
                label={words.undoFor(name.toLowerCase())}
                value={setting.undoSeconds}
                choices={undoChoices}
                wordsOf={words.undoSeconds}
                defaultWords={words.defaultUndo(words.undoSeconds(defaultUndoSeconds))}
                onChange={(seconds) => setUndo(setting, seconds)}
              />
              <Choice
                label={words.paceFor(name.toLowerCase())}
                value={setting.approvalsPerMinute}
                choices={paceChoices}
                wordsOf={words.perMinute}
                defaultWords={words.defaultPace}
                onChange={(count) => setEffect.mutate({ ...setting, approvalsPerMinute: count })}
              />
            </li>
          );
        })}
      </ul>
      {dialog}
    </Panel>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: number | null;
  readonly choices: readonly number[];
  readonly defaultWords: string;
  wordsOf(value: number): string;
  onChange(value: number | null): void;
}

/** The terminal and the API accept other values too, so the current one is always a choice. */
function Choice({ label, value, choices, defaultWords, wordsOf, onChange }: ChoiceProps) {
  const options = [...new Set([...choices, ...(value === null ? [] : [value])])];
  return (
    <select
      aria-label={label}
      className={boxClass}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : Number(target.value))}
    >
      <option value="">{defaultWords}</option>
      {options
        .toSorted((a, b) => a - b)
        .map((option) => (
          <option key={option} value={option}>
            {wordsOf(option)}
          </option>
        ))}
    </select>
  );
}
