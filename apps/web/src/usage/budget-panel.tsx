import type { BudgetView } from "@bron/protocol";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../api.ts";
import { queries } from "../live/queries.ts";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field, inputClass } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { Problem } from "../ui/states.tsx";
import { budgetWords } from "../words/budget.ts";
import { BudgetNotice } from "./budget-notice.tsx";

/** The owner's caps by day and month, and what is spent of them. */
export function BudgetPanel() {
  const { data: budget } = useQuery(queries.budget());
  const [isOpen, setOpen] = useState(false);
  if (!budget) return null;
  const hasCap = budget.dayCapMicrousd !== null || budget.monthCapMicrousd !== null;
  return (
    <div className="mb-5" id="budget">
      <BudgetNotice />
      <Panel
        title={budgetWords.title}
        actions={
          <Button onClick={() => setOpen(true)}>
            {hasCap ? budgetWords.raise : budgetWords.set}
          </Button>
        }
      >
        {hasCap ? (
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
            <Meter
              name={budgetWords.today}
              spent={budget.dayMicrousd}
              cap={budget.dayCapMicrousd}
            />
            <Meter
              name={budgetWords.thisMonth}
              spent={budget.monthMicrousd}
              cap={budget.monthCapMicrousd}
            />
          </div>
        ) : (
          <p className="text-sm text-quiet">
            {budgetWords.none} {budgetWords.about}
          </p>
        )}
      </Panel>
      <Dialog title={budgetWords.title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <BudgetForm budget={budget} onClose={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}

function Meter({
  name,
  spent,
  cap,
}: {
  readonly name: string;
  readonly spent: number;
  readonly cap: number | null;
}) {
  if (cap === null) return null;
  const share = cap === 0 ? 1 : Math.min(1, spent / cap);
  return (
    <div>
      <div className="mb-1 flex justify-between gap-3 text-sm tabular-nums">
        <span className="text-quiet">{name}</span>
        <span>{budgetWords.of(formatDollars(spent), formatDollars(cap))}</span>
      </div>
      <div
        role="meter"
        aria-label={name}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-raised"
      >
        <div
          className={cx("h-full rounded-full", share < 0.8 ? "bg-accent" : "bg-bad")}
          style={{ width: `${share * 100}%` }}
        />
      </div>
    </div>
  );
}

function BudgetForm({ budget, onClose }: { readonly budget: BudgetView; onClose(): void }) {
  const hasCap = budget.dayCapMicrousd !== null || budget.monthCapMicrousd !== null;
  const [day, setDay] = useState(textOf(budget.dayCapMicrousd));
  const [month, setMonth] = useState(textOf(budget.monthCapMicrousd));
  const [zone, setZone] = useState(
    hasCap ? budget.zone : Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      api.call("PATCH /api/budget", {
        body: { dayCapMicrousd: microusdOf(day), monthCapMicrousd: microusdOf(month), zone },
      }),
    onSuccess(changed) {
      client.setQueryData(queries.budget().queryKey, changed);
      onClose();
    },
  });
  return (
    <form
      className="grid grid-cols-1 gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <p className="text-sm text-quiet">{budgetWords.about}</p>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Amount label={budgetWords.day} value={day} onChange={setDay} />
        <Amount label={budgetWords.month} value={month} onChange={setMonth} />
      </div>
      <Field label={budgetWords.zone} hint={budgetWords.zoneHint}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={64}
            spellCheck={false}
            value={zone}
            onChange={({ target }) => setZone(target.value)}
            className={inputClass}
          />
        )}
      </Field>
      <Problem error={save.error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" kind="main" disabled={save.isPending}>
          {save.isPending ? budgetWords.saving : budgetWords.save}
        </Button>
      </div>
    </form>
  );
}

function Amount({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}) {
  return (
    <Field label={`${label} (${budgetWords.dollars})`} hint={budgetWords.dayHint}>
      {(ids) => (
        <input
          {...ids}
          type="number"
          min="0"
          max="1000000"
          step="0.01"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className={inputClass}
        />
      )}
    </Field>
  );
}

const textOf = (microusd: number | null) => (microusd === null ? "" : String(microusd / 1_000_000));
const microusdOf = (text: string) =>
  text.trim() === "" ? null : Math.round(Number(text) * 1_000_000);
