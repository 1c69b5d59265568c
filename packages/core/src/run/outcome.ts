import type { ModelAnswer, ModelFailure } from "../model/model-turn.ts";
import type { AttemptResult, PrepareResult, ToolResult } from "../tool/run-tool.ts";
import type { Reconciliation } from "../tool/tool.ts";
import type { OpenAction } from "./run-state.ts";

/** What the segment is told to begin once its mark is in the log. */
export type Begin =
  | { readonly kind: "model"; readonly step: number; readonly attempt: number }
  | { readonly kind: "prepare"; readonly action: OpenAction }
  | { readonly kind: "read"; readonly action: OpenAction; readonly attempt: number }
  | { readonly kind: "attempt"; readonly action: OpenAction; readonly attempt: number }
  | { readonly kind: "reconcile"; readonly action: OpenAction };

/** How something that was begun ended; it waits here until it is in the log. */
export type Outcome =
  | { readonly kind: "model"; readonly result: ModelAnswer | ModelFailure }
  | { readonly kind: "prepare"; readonly actionId: string; readonly result: PrepareResult }
  | { readonly kind: "read"; readonly actionId: string; readonly result: ToolResult }
  | { readonly kind: "attempt"; readonly actionId: string; readonly result: AttemptResult }
  | { readonly kind: "reconcile"; readonly actionId: string; readonly result: Reconciliation };

/** One thing in flight at most per key. */
export function flightKey(work: Begin | Outcome): string {
  if (work.kind === "model") return "model";
  return "action" in work ? work.action.id : work.actionId;
}
