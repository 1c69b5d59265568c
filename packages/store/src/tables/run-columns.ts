import type { Projection } from "@bron/core";
import type { RunOutcome, RunResult } from "@bron/protocol";
import type { Generated, Selectable } from "kysely";

interface AppendedColumn {
  readonly column: string;
  readonly type: "text" | "int" | "bigint" | "jsonb";
  /** The field of a projection. An append that has none leaves the column as it is. */
  readonly from: keyof Projection["run"];
  /** The value is added to the column. Otherwise it replaces what is there. */
  readonly adds?: true;
  /** A condition on the row `r`. Rows without it keep what is there. */
  readonly onlyIf?: string;
}

/** The columns that keep a run's result. To add one, extend all three of these and migrate. */
export interface ResultColumns {
  not_done: Generated<number>;
  outcome: RunOutcome | null;
}

const resultColumns = [
  { column: "not_done", type: "int", from: "notDone" },
  { column: "outcome", type: "text", from: "outcome" },
] as const satisfies readonly (AppendedColumn & { readonly column: keyof ResultColumns })[];

export function toRunResult(row: Selectable<ResultColumns>): RunResult {
  return { notDone: row.not_done, outcome: row.outcome };
}

export const resultColumnNames = resultColumns.map(({ column }) => column);

/** The columns that an append sets to what its events say. */
export const appendedColumns = [
  { column: "status", type: "text", from: "status" },
  { column: "summary", type: "text", from: "summary" },
  { column: "error", type: "jsonb", from: "error" },
  { column: "card", type: "jsonb", from: "card" },
  // Only a cap reads them. An update logs all bytes from the first changed column to the last one,
  // and this one is far behind those that every step changes.
  { column: "steps", type: "int", from: "steps", onlyIf: "r.caps ? 'steps'" },
  { column: "input_tokens", type: "bigint", from: "inputTokens", adds: true },
  { column: "cached_input_tokens", type: "bigint", from: "cachedInputTokens", adds: true },
  { column: "output_tokens", type: "bigint", from: "outputTokens", adds: true },
  ...resultColumns,
] as const satisfies readonly AppendedColumn[];
