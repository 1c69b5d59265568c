import { findTool } from "./offered-tool.ts";
import type { FunctionDeclaration, JsonObject } from "../wire.ts";

/** How a request went, as the tool `report_outcome` takes it. */
export type RequestOutcome = "done" | "partly_done" | "could_not" | "needs_answer";

/** The worse one of two outcomes. */
export function worseOutcome(before: RequestOutcome, next: RequestOutcome): RequestOutcome {
  const order: readonly RequestOutcome[] = ["done", "partly_done", "could_not", "needs_answer"];
  return order.indexOf(next) > order.indexOf(before) ? next : before;
}

/**
 * The outcome of all requests of a task. A question is the outcome of the task, because the user
 * has to answer it before anything else can be done.
 */
export function combineOutcomes(outcomes: readonly RequestOutcome[]): RequestOutcome {
  if (outcomes.includes("needs_answer")) return "needs_answer";
  const [first = "done", ...others] = outcomes;
  return others.every((outcome) => outcome === first) ? first : "partly_done";
}

/** The call that declares the outcome of a task, if the tool is offered. */
export function outcomeCalls(
  outcome: RequestOutcome,
  declarations: readonly FunctionDeclaration[],
): readonly { readonly name: string; readonly args: JsonObject }[] {
  const args = { outcome };
  const tool = findTool("report_outcome", args, declarations);
  return tool === undefined ? [] : [{ name: tool.name, args }];
}
