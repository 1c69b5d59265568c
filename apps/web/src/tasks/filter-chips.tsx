import { taskFilters, type TaskFilter } from "../search.ts";
import { texts } from "../texts.ts";
import { Choices } from "../ui/choices.tsx";

/** Which tasks are shown. */
export function FilterChips({
  show,
  onChange,
}: {
  readonly show: TaskFilter | undefined;
  onChange(show: TaskFilter | undefined): void;
}) {
  return (
    <Choices
      label={texts.tasks.filter}
      value={show ?? "all"}
      options={[
        { value: "all", name: texts.tasks.all },
        ...taskFilters.map((value) => ({ value, name: nameOf(value) })),
      ]}
      onChange={(value) => onChange(taskFilters.find((filter) => filter === value))}
    />
  );
}

export function nameOf(filter: TaskFilter): string {
  return filter === "archived" ? texts.tasks.archived : texts.tasks.states[filter];
}
