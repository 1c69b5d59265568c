import { canonicalJson } from "../policy/canonical-json.ts";
import type { DeniedEffect } from "../policy/denied-effect.ts";
import { guessFacts, withServer, type EffectFacts } from "../policy/effect-facts.ts";
import type { ProposedEffect } from "../policy/policy.ts";
import type { Denial, Denials } from "../ports/runs/denials.ts";
import type { Tool } from "../tool/tool.ts";
import type { RunState } from "../run/state/run-state.ts";

interface TaskDenialsInput {
  readonly ownerId: string;
  readonly rootRunId: () => Promise<string>;
  readonly tools: () => ReadonlyMap<string, Tool>;
  readonly state: () => RunState;
}

export type TaskDenials = (
  proposed: Pick<ProposedEffect, "tool" | "prepared">,
) => Promise<readonly DeniedEffect[]>;

/** What the owner did not approve in the task so far, compared with a proposed effect. */
export function createTaskDenials(
  denials: Denials,
  { ownerId, rootRunId, tools, state }: TaskDenialsInput,
): TaskDenials {
  return async ({ tool, prepared }) => {
    if (!mayHaveDenials(state())) return [];
    const found = await denials.list({ ownerId, rootRunId: await rootRunId() });
    const form = canonicalJson(prepared);
    return found.map((denial) => ({
      tool: denial.tool,
      effectKind: tools().get(denial.tool)?.effectKind,
      facts: factsOf(denial, tools().get(denial.tool)),
      cause: denial.cause,
      words: denial.words,
      isSame: denial.tool === tool && canonicalJson(denial.prepared) === form,
      isBeforeNewWords: state().newWordsAt > denial.decidedAt,
    }));
  };
}

/** Most runs have none, and need not ask the store. */
function mayHaveDenials({ parentRunId, children, retryOf, ended, open }: RunState): boolean {
  return (
    parentRunId !== undefined ||
    retryOf !== undefined ||
    children.size > 0 ||
    ended.some(({ notDoneReason }) => notDoneReason === "denied" || notDoneReason === "replied") ||
    [...open.values()].some(
      ({ effect }) => effect?.approval?.state === "denied" || effect?.isUndone === true,
    )
  );
}

/** A form of a tool that is gone, or of an older version of it, is searched for addresses and hosts. */
function factsOf({ prepared }: Denial, tool: Tool | undefined): EffectFacts {
  if (!tool) return guessFacts(prepared);
  try {
    return withServer(tool.factsOf(prepared), tool.server);
  } catch {
    return guessFacts(prepared);
  }
}
