import {
  missedChoices,
  overlapChoices,
  trustLevels,
  type NewScheduleInput,
  type ScheduleView,
  type TrustLevel,
} from "@bron/protocol";
import { trustWords } from "../words/trust.ts";
import { schedulesWords } from "../words/schedules.ts";
import { Field, inputClass } from "../ui/field.tsx";
import { Select } from "./select.tsx";

type Options = Pick<ScheduleView, "missed" | "overlap"> & {
  readonly end: string;
  readonly trust: TrustLevel | "";
  readonly cost: string;
};

export const noOptions: Options = {
  missed: "once",
  overlap: "skip",
  end: "",
  trust: "",
  cost: "",
};

export function limitsOf({
  missed,
  overlap,
  end,
  trust,
  cost,
}: Options): Partial<NewScheduleInput> {
  return {
    missed,
    overlap,
    trustLevel: trust === "" ? null : trust,
    // The whole last day.
    endAt: end === "" ? null : new Date(`${end}T23:59:59`).toISOString(),
    caps: cost === "" ? {} : { costMicrousd: Math.round(Number(cost) * 1_000_000) },
  };
}

/** What most schedules leave as it is. */
export function MoreOptions({
  value,
  onChange,
  hasTimes,
}: {
  readonly value: Options;
  onChange(options: Options): void;
  readonly hasTimes: boolean;
}) {
  return (
    <details>
      <summary className="cursor-pointer text-sm font-medium">{schedulesWords.options}</summary>
      <div className="mt-4 grid grid-cols-1 gap-5 sm:grid-cols-2">
        {hasTimes && (
          <>
            <Select
              label={schedulesWords.missed}
              value={value.missed}
              options={missedChoices.map((one) => ({
                value: one,
                name: schedulesWords.missedOptions[one],
              }))}
              onChange={(missed) => onChange({ ...value, missed })}
            />
            <Select
              label={schedulesWords.overlap}
              value={value.overlap}
              options={overlapChoices.map((one) => ({
                value: one,
                name: schedulesWords.overlapOptions[one],
              }))}
              onChange={(overlap) => onChange({ ...value, overlap })}
            />
          </>
        )}
        <Select
          label={schedulesWords.trust}
          hint={schedulesWords.trustHint}
          value={value.trust}
          options={[
            { value: "", name: schedulesWords.sameTrust },
            ...trustLevels.map((one) => ({ value: one, name: trustWords.levels[one].name })),
          ]}
          onChange={(trust) => onChange({ ...value, trust })}
        />
        <Field label={schedulesWords.end}>
          {(ids) => (
            <input
              {...ids}
              type="date"
              value={value.end}
              onChange={({ target }) => onChange({ ...value, end: target.value })}
              className={inputClass}
            />
          )}
        </Field>
        <Field label={schedulesWords.maxCost}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min="0.01"
              max="1000"
              step="0.01"
              value={value.cost}
              onChange={({ target }) => onChange({ ...value, cost: target.value })}
              className={inputClass}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
