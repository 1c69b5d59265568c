import { isTerminal, type UnfinishedChild } from "@bron/protocol";
import { plainFailure } from "../run/decide/plain-failure.ts";
import type { Child, RunState } from "../run/state/run-state.ts";

type Children = RunState["children"];

/** Includes child runs that the parent did not wait for. They end with the parent. */
export function isUnfinished({ status }: Child): boolean {
  return status !== "completed";
}

/** The child run that took the place of a failed one. */
function replacementOf(children: Children, id: string): Child | undefined {
  return [...children.values()].find(({ insteadOf }) => insteadOf === id);
}

/** Whether a child run did not finish, and no other one completed in its place. */
export function isLost(children: Children, id: string, child: Child): boolean {
  return isUnfinished(child) && replacementOf(children, id)?.status !== "completed";
}

/** What failed in child runs, and what was done about it, for the summary of their parent. */
export function unfinishedChildren(children: Children): UnfinishedChild[] {
  return [...children].flatMap(([id, child]): UnfinishedChild[] => {
    const { title, status, error, notDone } = child;
    if (isUnfinished(child))
      return [
        {
          title,
          status,
          ...(error ? { error: plainFailure(error) } : {}),
          ...handlingOf(child, replacementOf(children, id)),
        },
      ];
    return notDone > 0 ? [{ title, status, notDone }] : [];
  });
}

function handlingOf(
  { status, failureMode }: Child,
  replacement: Child | undefined,
): Pick<UnfinishedChild, "handling" | "replacement"> {
  if (replacement)
    return {
      handling: replacement.status === "completed" ? "replaced" : "replacement_failed",
      replacement: replacement.title,
    };
  if (!isTerminal(status)) return { handling: "stopped" };
  return { handling: failureMode === "fail_fast" ? "ended_task" : "continued" };
}
