import type { Label, MemoryEntry } from "@bron/protocol";

/** An entry of the memory with what the store keeps beside it. */
export interface StoredStatement {
  readonly ownerId: string;
  entry: MemoryEntry;
  digest: string;
  label: Label | null;
  words: readonly string[];
  sourceRun: string | null;
  /** Increases with each change, as times may be equal. */
  place: number;
}
