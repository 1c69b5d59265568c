import type { PartialText } from "@bron/protocol";

export interface PartialTextStore {
  put(texts: ReadonlyMap<string, PartialText>): Promise<void>;
  remove(runIds: readonly string[]): Promise<void>;
  get(ownerId: string, runId: string): Promise<PartialText | undefined>;
}
