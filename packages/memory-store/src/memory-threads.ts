import { BronError, type Threads } from "@bron/core";
import { ensureBron, findBron } from "./memory-brons.ts";
import type { MemoryState } from "./memory-state.ts";

export function memoryThreads(state: MemoryState): Threads {
  return {
    async tail(ownerId, threadId, beforeRunId, limit) {
      const thread = state.threads.get(threadId);
      if (thread?.ownerId !== ownerId) return [];
      const own = thread.messages.findIndex(({ runId }) => runId === beforeRunId);
      return thread.messages
        .slice(0, own === -1 ? 0 : own)
        .slice(-limit)
        .map(({ role, content, trusted }) => ({ role, content, trusted }));
    },
    async profile(ownerId, bronId) {
      const bron = findBron(state, ownerId, bronId);
      return bron && { persona: bron.systemPrompt, aboutUser: bron.memorySummary };
    },
  };
}

/** Returns the thread of a new run. Creates a thread, and a first Bron, when none is named. */
export function resolveThread(
  state: MemoryState,
  ownerId: string,
  input: { readonly bronId?: string | undefined; readonly threadId?: string | undefined },
): { threadId: string; bronId: string } {
  if (input.threadId !== undefined) {
    const thread = state.threads.get(input.threadId);
    if (thread?.ownerId !== ownerId)
      throw new BronError("not_found", `Thread ${input.threadId} not found.`);
    if (input.bronId !== undefined && input.bronId !== thread.bronId)
      throw new BronError("invalid_input", "This thread belongs to another Bron.");
    return { threadId: input.threadId, bronId: thread.bronId };
  }
  const { id: bronId } = ensureBron(state, ownerId, input.bronId);
  const threadId = state.uuid();
  state.threads.set(threadId, { ownerId, bronId, messages: [] });
  return { threadId, bronId };
}
