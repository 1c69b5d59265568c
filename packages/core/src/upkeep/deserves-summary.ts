import type { NewRun } from "../ports/runs/runs.ts";

/**
 * Whether the summary of the memory is renewed after this run: if the owner started it. What a
 * parent run or Bron itself started has no words of the owner. A run of a program is looked at,
 * because the owner may speak to it while it works.
 */
export function deservesSummary({
  kind,
  parent,
  schedule,
}: Pick<NewRun, "kind" | "parent" | "schedule">): boolean {
  return kind === undefined && parent === undefined && schedule === undefined;
}
