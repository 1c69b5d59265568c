import { BronError, crossedOutEvent, type AskTask, type AskUses, type Runs } from "@bron/core";
import type { RunEvent } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryAskUse, MemoryRun } from "./memory-run.ts";
import { findRun, type MemoryState } from "./memory-state.ts";

export function memoryAskUses(state: MemoryState): AskUses {
  return {
    async open(task, readings) {
      const root = rootOf(state, task);
      for (const [texts, output] of readings)
        if (root && !root.readings.has(texts)) root.readings.set(texts, output);
      const uses = [...(root?.askUses ?? [])].filter(([, use]) => !isGivenBack(state, use));
      return {
        readings: new Map(root?.readings),
        held: new Map(uses.flatMap(([key, use]) => (use ? [[key, use.actionId] as const] : []))),
        crossedOut: new Set(uses.flatMap(([key, use]) => (use ? [] : [key]))),
      };
    },
    async use(task, { keys, runId, actionId }) {
      const root = rootOf(state, task);
      const isFree = (key: string) => {
        const held = root?.askUses.get(key);
        return held === undefined || held?.actionId === actionId || isGivenBack(state, held);
      };
      if (!root || !keys.every(isFree)) return false;
      for (const key of keys) root.askUses.set(key, { runId, actionId });
      return true;
    },
  };
}

export function crossOutAsk(
  state: MemoryState,
  task: AskTask,
  key: string,
): Awaited<ReturnType<Runs["crossOutAsk"]>> {
  const root = rootOf(state, task);
  if (!root) throw new BronError("not_found", `Run ${task.rootRunId} not found.`);
  const held = root.askUses.get(key);
  if (held === null) return "crossed_out";
  if (held && !isGivenBack(state, held)) return "used";
  if (!appendAndWake(state, root, [crossedOutEvent(task.ownerId, key)])) return "ended";
  root.askUses.set(key, null);
  return "crossed_out";
}

/** Restores what the log of a run says about the requests of its task. */
export function restoreAskUses(root: MemoryRun, run: MemoryRun, events: readonly RunEvent[]): void {
  for (const { type, payload } of events) {
    if (type === "effect")
      for (const key of payload.asks ?? [])
        root.askUses.set(key, { runId: run.view.id, actionId: payload.actionId });
    if (type === "intent" && payload.state === "crossed_out") root.askUses.set(payload.key, null);
  }
}

function rootOf(state: MemoryState, { ownerId, rootRunId }: AskTask): MemoryRun | undefined {
  return findRun(state, ownerId, rootRunId);
}

/** Whether the action that holds an ask has ended without its effect. */
function isGivenBack({ runs }: MemoryState, use: MemoryAskUse | null): boolean {
  const action = use && runs.get(use.runId)?.actions.get(use.actionId)?.view.state;
  return action === "failed" || action === "rejected" || action === "canceled";
}
