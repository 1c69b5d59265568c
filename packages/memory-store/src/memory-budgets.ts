import type { Budgets } from "@bron/core";
import { ensureOwner, type MemoryState } from "./memory-state.ts";

export function memoryBudgets(state: MemoryState): Budgets {
  return {
    async setOwnerCap(ownerId, capMicrousd) {
      ensureOwner(state, ownerId).cap = capMicrousd;
    },
    async ownerSpending(ownerId) {
      const { cap, drawn } = ensureOwner(state, ownerId);
      return { capMicrousd: cap, drawnMicrousd: drawn };
    },
  };
}
