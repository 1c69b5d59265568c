import type { AskUses } from "@bron/core";
import type { MemoryAskUse } from "./memory-run.ts";
import type { MemoryState } from "./memory-state.ts";

export function memoryAskUses({ runs }: MemoryState): AskUses {
  /** Whether the action that holds an ask has ended without its effect. */
  const isGivenBack = ({ runId, actionId }: MemoryAskUse) => {
    const state = runs.get(runId)?.actions.get(actionId)?.view.state;
    return state === "failed" || state === "rejected" || state === "canceled";
  };
  const usesOf = (ownerId: string, rootRunId: string) => {
    const root = runs.get(rootRunId);
    return root?.view.ownerId === ownerId ? root.askUses : undefined;
  };
  return {
    list: async ({ ownerId, rootRunId }) =>
      new Map(
        [...(usesOf(ownerId, rootRunId) ?? [])].flatMap(([key, use]) =>
          isGivenBack(use) ? [] : [[key, use.actionId] as const],
        ),
      ),
    async use({ ownerId, rootRunId }, { key, runId, actionId }) {
      const uses = usesOf(ownerId, rootRunId);
      const held = uses?.get(key);
      if (!uses || (held && held.actionId !== actionId && !isGivenBack(held))) return false;
      uses.set(key, { runId, actionId });
      return true;
    },
  };
}
