import {
  canRestore,
  canUndo,
  cleanText,
  restoredEntry,
  restoreError,
  restoringMs,
  resultWithOneMore,
  settledEntry,
  settleError,
  undoError,
  undoneEvent,
  type Effects,
} from "@bron/core";
import { isTerminal } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import { runsOf, stamp, type MemoryState } from "./memory-state.ts";

export function memoryEffects(state: MemoryState): Effects {
  const find = (ownerId: string, effectId: string) => {
    for (const run of runsOf(state, ownerId)) {
      const effect = run.effects.get(effectId);
      if (effect) return { run, effect };
    }
    return undefined;
  };
  return {
    get: async (ownerId, effectId) => find(ownerId, effectId)?.effect,
    listUnknown: async (ownerId) =>
      runsOf(state, ownerId)
        .flatMap(({ effects }) => [...effects.values()])
        .filter((effect) => effect.state === "unknown" && !effect.settled)
        .toReversed(),
    async settle({ ownerId, effectId, as, note }) {
      const found = find(ownerId, effectId);
      if (found?.effect.state !== "unknown" || found.effect.settled)
        throw settleError(effectId, found?.effect);
      const { run, effect } = found;
      const words = note === undefined ? undefined : cleanText(note);
      const settled = { ...effect, settled: { as, at: stamp(state), note: words ?? null } };
      run.effects.set(effectId, settled);
      if (as === "happened") run.view = { ...run.view, ...resultWithOneMore(run.view) };
      const { runId, actionId, tool, digest } = effect;
      state.audit.add(ownerId, [
        { ...settledEntry(as, words), runId, actionId, effectId, tool, digest },
      ]);
      return settled;
    },
    async undo(ownerId, effectId) {
      const found = find(ownerId, effectId);
      if (!found || isTerminal(found.run.view.status) || !canUndo(found.effect, state.now()))
        throw undoError(effectId, found?.effect);
      appendAndWake(state, found.run, [undoneEvent(ownerId, found.effect)]);
      return found.run.effects.get(effectId) ?? found.effect;
    },
    async startRestoring({ ownerId, effectId }) {
      const found = find(ownerId, effectId);
      const now = state.now();
      const isReserved = (state.restoring.get(effectId) ?? 0) > now;
      if (!found || !canRestore(found.effect) || found.effect.restoredAt !== null || isReserved)
        throw restoreError(effectId, found?.effect);
      state.restoring.set(effectId, now + restoringMs);
      return found.effect;
    },
    async endRestoring({ ownerId, effectId, isRestored }) {
      const found = find(ownerId, effectId);
      if (!found) throw restoreError(effectId, undefined);
      const { run, effect } = found;
      state.restoring.delete(effectId);
      if (!isRestored || effect.restoredAt !== null) return effect;
      const restored = { ...effect, restoredAt: stamp(state) };
      run.effects.set(effectId, restored);
      const { runId, actionId, tool, digest } = effect;
      state.audit.add(ownerId, [{ ...restoredEntry, runId, actionId, effectId, tool, digest }]);
      return restored;
    },
  };
}
