import { omitUndefined, type NewEvent } from "@bron/protocol";
import type { ParentRun } from "../ports/runs/runs.ts";

/** The event in the parent's log that announces a child run. */
export function childRunStarted(
  { actionId, failureMode, insteadOf }: ParentRun,
  child: { readonly id: string; readonly title: string },
): NewEvent {
  return {
    type: "child_run",
    payload: {
      childRunId: child.id,
      title: child.title,
      status: "queued",
      failureMode,
      ...omitUndefined({ spawnedBy: actionId, insteadOf }),
    },
  };
}
