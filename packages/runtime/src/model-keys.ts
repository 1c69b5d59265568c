import {
  BronError,
  createModelSet,
  type Clock,
  type ModelKeys,
  type ModelSet,
  type RunModel,
} from "@bron/core";
import { api, modelProviders, type ModelKeyView, type ModelProvider } from "@bron/protocol";
import type { Cipher } from "./cipher.ts";
import { parseInput } from "./parse-input.ts";
import { unusableModel, withOwnKey } from "./own-key-model.ts";
import { testModel, type KeyTestResult } from "./test-model.ts";

interface NewKey {
  readonly key: string;
  readonly model?: string | undefined;
}

/** The owner's own model keys. A stored key is used, but never returned. */
export interface ModelKeyService {
  /** Newest first. The first one is used. */
  list(ownerId: string): Promise<ModelKeyView[]>;
  /**
   * Sends a short prompt to the provider, at the owner's cost. Throws invalid_input with the
   * provider's message if it rejects the key or the model.
   */
  test(provider: string, input: NewKey): Promise<KeyTestResult>;
  /**
   * Replaces the key for the same provider. The owner's runs use it from their next segment on.
   * Throws not_found for an unknown provider, or invalid_input.
   */
  put(ownerId: string, provider: string, input: NewKey): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: string): Promise<void>;
}

export interface OwnerModelKey {
  readonly provider: ModelProvider;
  readonly key: string;
  /** Null means the default model of this provider. */
  readonly model: string | null;
}

/**
 * Creates a model from an owner's key without a network request. Throws a BronError that explains
 * what is wrong with the key.
 */
export type ModelFromKey = (own: OwnerModelKey) => RunModel;

interface ModelKeysDeps {
  readonly keys: ModelKeys;
  readonly cipher: Cipher;
  readonly modelFromKey: ModelFromKey | undefined;
  /** Used for owners without a key. */
  readonly models: ModelSet;
  readonly clock: Clock;
}

/** How long a change in another process may go unnoticed. */
const cacheMs = 30_000;
const maxCached = 1_000;
const hintLength = 4;

export function createModelKeys({
  keys,
  cipher,
  modelFromKey,
  models,
  clock,
}: ModelKeysDeps): ModelKeyService & { modelsFor(ownerId: string): Promise<ModelSet> } {
  const cache = new Map<string, { readonly until: number; readonly models: Promise<ModelSet> }>();
  const contextOf = (ownerId: string, provider: string) =>
    JSON.stringify([ownerId, provider, "key"]);

  const load = async (ownerId: string): Promise<ModelSet> => {
    const stored = modelFromKey && (await keys.latest(ownerId));
    if (!stored) return models;
    const { provider, sealedKey, hint, model } = stored;
    try {
      const key = cipher.open(contextOf(ownerId, provider), sealedKey);
      const main = withOwnKey(modelFromKey({ provider, key, model }), { provider, key, hint });
      return createModelSet({ main });
    } catch (error) {
      return createModelSet({ main: unusableModel(models.main, { provider, hint }, error) });
    }
  };

  return {
    list: keys.list,
    async test(name, input) {
      const own = parseKey(name, input);
      const createdModel = createModel(modelFromKey, own);
      return createdModel
        ? await testModel(withOwnKey(createdModel, { ...own, hint: own.key.slice(-hintLength) }))
        : "not_reached";
    },
    async put(ownerId, name, input) {
      const { provider, key, model } = parseKey(name, input);
      createModel(modelFromKey, { provider, key, model });
      await keys.put(ownerId, {
        provider,
        sealedKey: cipher.seal(contextOf(ownerId, provider), key),
        hint: key.slice(-hintLength),
        model,
      });
      cache.delete(ownerId);
    },
    async remove(ownerId, name) {
      await keys.remove(ownerId, providerOf(name));
      cache.delete(ownerId);
    },
    modelsFor(ownerId) {
      const cached = cache.get(ownerId);
      if (cached && clock.monotonic() < cached.until) return cached.models;
      if (cache.size >= maxCached) cache.clear();
      const entry = { until: clock.monotonic() + cacheMs, models: load(ownerId) };
      cache.set(ownerId, entry);
      // Do not cache a failed load.
      entry.models.catch(() => cache.get(ownerId) === entry && cache.delete(ownerId));
      return entry.models;
    },
  };
}

function providerOf(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known === name);
  if (!provider) throw new BronError("not_found", `Unknown provider ${name}.`);
  return provider;
}

function parseKey(name: string, input: NewKey): OwnerModelKey {
  const provider = providerOf(name);
  const { key, model = null } = parseInput(api["PUT /api/model-keys/:provider"].body, input);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new BronError("invalid_input", "key: that doesn't look like a valid key. Copy it again.");
  return { provider, key, model };
}

function createModel(
  modelFromKey: ModelFromKey | undefined,
  own: OwnerModelKey,
): RunModel | undefined {
  try {
    return modelFromKey?.(own);
  } catch (error) {
    if (!BronError.is(error)) throw error;
    throw new BronError("invalid_input", error.message, { cause: error });
  }
}
