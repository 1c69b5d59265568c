import { waitKinds, type RunView, type WaitsFor } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";
import { isInTree, type MemoryState } from "./memory-state.ts";

/** A run as callers see it, with what it waits for. */
export function shownRun(state: MemoryState, run: MemoryRun): RunView {
  return { ...run.view, waitsFor: waitOf(state, run) };
}

/** What a parked run, or one of its child runs, waits for. */
export function waitOf(state: MemoryState, { view }: MemoryRun): WaitsFor | null {
  if (view.finishedAt !== null || view.runnable) return null;
  const tree = [...state.runs.values()].filter(
    (run) => run.view.finishedAt === null && isInTree(state, view.id, run.view.id),
  );
  const isPending = (one: { readonly state: string }) => one.state === "pending";
  if (tree.some(({ approvals }) => [...approvals.values()].some(isPending)))
    return { kind: "approval" };
  if (tree.some(({ questions }) => [...questions.values()].some(isPending)))
    return { kind: "question" };
  if (tree.some((run) => run.view.status === "awaiting_auth")) return { kind: "sign_in" };
  const [first] = tree
    .flatMap(({ clientActions }) => [...clientActions.values()])
    .filter((action) => action.state === "pending" || action.state === "taken")
    .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
  return first ? { kind: "program", program: first.program } : null;
}

/** The most urgent of what several runs wait for. */
export function mostUrgentWait(state: MemoryState, runs: readonly MemoryRun[]): WaitsFor | null {
  const waits = runs.flatMap((run) => waitOf(state, run) ?? []);
  return waits.toSorted((a, b) => waitKinds.indexOf(a.kind) - waitKinds.indexOf(b.kind))[0] ?? null;
}
