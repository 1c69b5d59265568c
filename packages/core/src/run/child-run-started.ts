import { omitUndefined, type NewEvent } from "@bron/protocol";
import type { ParentRun } from "../ports.ts";

/** The first word on a part of a task, in the log of the whole. */
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
