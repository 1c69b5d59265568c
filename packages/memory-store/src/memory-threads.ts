import { BronError, type Threads } from "@bron/core";
import type { MemoryState } from "./memory-state.ts";

export function memoryThreads({ threads, brons }: MemoryState): Threads {
  return {
    async tail(ownerId, threadId, beforeRunId, limit) {
      const thread = threads.get(threadId);
      if (thread?.ownerId !== ownerId) return [];
      const own = thread.messages.findIndex(({ runId }) => runId === beforeRunId);
      return thread.messages
        .slice(0, own === -1 ? 0 : own)
        .slice(-limit)
        .map(({ role, content, trusted }) => ({ role, content, trusted }));
    },
    profile: async (ownerId, bronId) =>
      brons.get(bronId) === ownerId ? { persona: "", aboutUser: "" } : undefined,
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
    return { threadId: input.threadId, bronId: thread.bronId };
  }
  const bronId = resolveBron(state, ownerId, input.bronId);
  const threadId = state.uuid();
  state.threads.set(threadId, { ownerId, bronId, messages: [] });
  return { threadId, bronId };
}

function resolveBron(
  { brons, uuid }: MemoryState,
  ownerId: string,
  wanted: string | undefined,
): string {
  if (wanted !== undefined) {
    if (brons.get(wanted) !== ownerId)
      throw new BronError("not_found", `Bron ${wanted} not found.`);
    return wanted;
  }
  const known = [...brons].find(([, id]) => id === ownerId)?.[0];
  if (known !== undefined) return known;
  const bronId = uuid();
  brons.set(bronId, ownerId);
  return bronId;
}
