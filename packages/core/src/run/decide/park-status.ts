import type { RunState } from "../state/run-state.ts";

/**
 * The status of a run whose open actions all wait: for the owner to decide or to sign in, or for a
 * child run. A child that waits for the owner makes its parent wait for the owner too, and a
 * decision comes before a sign-in.
 */
export function parkStatus({
  open,
  children,
}: Pick<RunState, "open" | "children">): "awaiting_confirmation" | "awaiting_auth" | "executing" {
  const waiting = [...open.values()];
  const childStatuses = waiting.map(({ awaits }) => children.get(awaits ?? "")?.status);
  if (
    waiting.some(({ state }) => state === "awaiting_confirmation") ||
    childStatuses.includes("awaiting_confirmation")
  )
    return "awaiting_confirmation";
  if (
    waiting.some(({ needsAuth }) => needsAuth !== undefined) ||
    childStatuses.includes("awaiting_auth")
  )
    return "awaiting_auth";
  return "executing";
}
