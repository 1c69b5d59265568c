import type { PortableLog } from "@bron/memory-store";
import type { HistoryMessage } from "../wire.ts";

/** All that is kept of a conversation between two requests. */
export interface ConversationState {
  readonly id: string;
  /** Counts the steps, so that a state is used once where anything is remembered. */
  readonly step: number;
  readonly history: readonly HistoryMessage[];
  /** The newest run, with what was said before it. Absent if it was compacted. */
  readonly log: PortableLog | null;
}

export function newConversation(id: string): ConversationState {
  return { id, step: 0, history: [], log: null };
}

const maxHistory = 60;
const maxHistoryCharacters = 60_000;

/** Keeps the newest messages within a size. */
export function limitHistory(history: readonly HistoryMessage[]): readonly HistoryMessage[] {
  let characters = 0;
  const newest = history.slice(-maxHistory);
  const before = newest.findLastIndex(({ content }) => {
    characters += content.length;
    return characters > maxHistoryCharacters;
  });
  return newest.slice(before + 1);
}
