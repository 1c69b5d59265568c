import { isInTree, type MemoryState } from "./memory-state.ts";

interface ListFilter {
  readonly runId?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly after?: string | undefined;
}

/** A list of what runs have: of a run and the runs below it, with this start of an id, after another. */
export function filterList<Row extends { readonly id: string; readonly runId: string }>(
  state: MemoryState,
  all: readonly Row[],
  { runId, idPrefix = "", after }: ListFilter,
): Row[] {
  return all
    .slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1 || all.length)
    .filter(
      (row) =>
        row.id.startsWith(idPrefix) && (runId === undefined || isInTree(state, runId, row.runId)),
    );
}
