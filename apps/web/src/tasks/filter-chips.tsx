import { useId } from "react";
import { taskFilters, type TaskFilter } from "../search.ts";
import { texts } from "../texts.ts";
import { cx } from "../ui/cx.ts";

interface FilterChipsProps {
  readonly show: TaskFilter | undefined;
  onChange(show: TaskFilter | undefined): void;
}

/** Which tasks are shown. Arrow keys move between the chips. */
export function FilterChips({ show, onChange }: FilterChipsProps) {
  const group = useId();
  return (
    <fieldset className="flex flex-wrap gap-1.5">
      <legend className="sr-only">{texts.tasks.filter}</legend>
      {[undefined, ...taskFilters].map((filter) => (
        <label
          key={filter ?? "all"}
          className={cx(
            "relative flex min-h-8 cursor-pointer items-center rounded-full border px-3 text-sm whitespace-nowrap transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
            filter === show
              ? "border-ink bg-ink font-medium text-ground"
              : "border-edge bg-surface text-quiet hover:text-ink",
          )}
        >
          <input
            type="radio"
            name={group}
            className="sr-only"
            checked={filter === show}
            onChange={() => onChange(filter)}
          />
          {nameOf(filter)}
        </label>
      ))}
    </fieldset>
  );
}

function nameOf(filter: TaskFilter | undefined): string {
  if (filter === undefined) return texts.tasks.all;
  return filter === "archived" ? texts.tasks.archived : texts.tasks.states[filter];
}
