import type { ModelKeyProvider, ModelKeyState, ModelKeyView } from "@bron/protocol";

/** A row of the table. The caller has encrypted the key. */
export interface StoredModelKey {
  readonly provider: ModelKeyProvider;
  readonly sealedKey: string;
  readonly hint: string;
  readonly model: string | null;
  readonly state: ModelKeyState;
}

/** The owners' own model keys, one per provider. */
export interface ModelKeys {
  put(ownerId: string, key: StoredModelKey): Promise<void>;
  get(ownerId: string, provider: ModelKeyProvider): Promise<StoredModelKey | undefined>;
  /** Makes it the newest key. Throws not_found. */
  setState(ownerId: string, provider: ModelKeyProvider, state: ModelKeyState): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: ModelKeyProvider): Promise<void>;
  /** Newest first. */
  list(ownerId: string): Promise<ModelKeyView[]>;
  /** The newest key that was tested or accepted, which is the one in use. */
  latest(ownerId: string): Promise<StoredModelKey | undefined>;
}
