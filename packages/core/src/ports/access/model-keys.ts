import type { ModelKeyView, ModelProvider } from "@bron/protocol";

/** A row of the table. The caller has encrypted the key. */
export interface StoredModelKey {
  readonly provider: ModelProvider;
  readonly sealedKey: string;
  readonly hint: string;
  readonly model: string | null;
}

/** The owners' own model keys, one per provider. */
export interface ModelKeys {
  put(ownerId: string, key: StoredModelKey): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: ModelProvider): Promise<void>;
  /** Newest first. */
  list(ownerId: string): Promise<ModelKeyView[]>;
  /** The newest key, which is the one in use. */
  latest(ownerId: string): Promise<StoredModelKey | undefined>;
}
