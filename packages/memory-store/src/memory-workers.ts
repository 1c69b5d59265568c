import { workerTimeoutMs, type Workers } from "@bron/core";
import { isTerminal, servesPlace, type Place, type PlaceView } from "@bron/protocol";
import { keyOf, runsOf, type MemoryState } from "./memory-state.ts";

export function memoryWorkers(state: MemoryState): Workers {
  return {
    async report(worker, places) {
      state.workers.set(worker, { places: [...places], seenAt: state.now() });
    },
    async remove(worker) {
      state.workers.delete(worker);
    },
    async places(ownerId) {
      const found = new Map<string, PlaceView>();
      for (const { view } of runsOf(state, ownerId)) {
        const { place, status } = view;
        if (place === null || isTerminal(status)) continue;
        const key = keyOf(...Object.values(place));
        const runs = (found.get(key)?.runs ?? 0) + 1;
        found.set(key, { place, isServed: isPlaceServed(state, place), runs });
      }
      return [...found.values()];
    },
    isServed: async (place) => isPlaceServed(state, place),
  };
}

export function isPlaceServed({ workers, now }: MemoryState, place: Place | null): boolean {
  return [...workers.values()].some(
    ({ places, seenAt }) => seenAt >= now() - workerTimeoutMs && servesPlace(places, place),
  );
}
