import {
  BronError,
  createModelSet,
  type Clock,
  type ModelKeys,
  type ModelSet,
  type RunModel,
} from "@bron/core";
import {
  api,
  localServerNames,
  modelProviders,
  type LocalServerId,
  type ModelKeyProvider,
  type ModelKeyView,
  type ModelProvider,
  omitUndefined,
} from "@bron/protocol";
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
   * Replaces the key for the same provider. The owner's runs use it from their next segment on,
   * unless it is untested. Throws not_found for an unknown provider, or invalid_input.
   */
  put(
    ownerId: string,
    provider: string,
    input: NewKey,
    state?: "tested" | "untested",
  ): Promise<void>;
  /**
   * Tests the stored key again. One that works is used from then on, and one that the provider
   * rejects is removed. Throws not_found, or invalid_input like `test`.
   */
  testAgain(ownerId: string, provider: string): Promise<KeyTestResult>;
  /** Uses a key that could not be tested. Throws not_found. */
  accept(ownerId: string, provider: string): Promise<void>;
  /**
   * Tests a model of a server that needs no key, and uses it. Throws invalid_input if it does not
   * respond.
   */
  useLocal(ownerId: string, local: LocalModel): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: string): Promise<void>;
}

interface LocalModel {
  readonly server: LocalServerId;
  /** With the version path, such as "http://127.0.0.1:11434/v1". */
  readonly url: string;
  readonly model: string;
}

export interface OwnerModelKey {
  readonly provider: ModelKeyProvider;
  /** For `local`, the URL of a server with OpenAI's API that needs no key. */
  readonly key: string;
  /** Null means the default model of this provider. */
  readonly model: string | null;
}

/**
 * Creates a model from an owner's key without a network request. Throws a BronError that explains
 * what is wrong with the key.
 */
export type ModelFromKey = (own: OwnerModelKey) => RunModel;

/** The models of a provider, by the names that `modelFromKey` takes. */
export type ModelsOfKey = (provider: ModelKeyProvider) => {
  readonly models: readonly string[];
  /** The model for auxiliary calls. */
  readonly light?: string;
};

interface ModelKeysDeps {
  readonly keys: ModelKeys;
  readonly cipher: Cipher;
  readonly modelFromKey: ModelFromKey | undefined;
  readonly modelsOfKey?: ModelsOfKey | undefined;
  /** Used for owners without a key. */
  readonly models: ModelSet;
  readonly clock: Clock;
}

/** How long a change in another process may go unnoticed. */
const cacheMs = 30_000;
const maxCached = 1_000;
const hintLength = 4;
const localTimeoutMs = 90_000;

export function createModelKeys({
  keys,
  cipher,
  modelFromKey,
  modelsOfKey,
  models,
  clock,
}: ModelKeysDeps): ModelKeyService & { modelsFor(ownerId: string): Promise<ModelSet> } {
  const cache = new Map<string, { readonly until: number; readonly models: Promise<ModelSet> }>();
  const load = async (ownerId: string): Promise<ModelSet> => {
    const stored = modelFromKey && (await keys.latest(ownerId));
    if (!stored) return models;
    const { provider, sealedKey, hint, model } = stored;
    try {
      const key = cipher.open(contextOf(ownerId, provider), sealedKey);
      const create = (name: string | null) =>
        withOwnKey(modelFromKey({ provider, key, model: name }), { provider, key, hint });
      const { models: names = [], light } = modelsOfKey?.(provider) ?? {};
      return createModelSet({
        main: create(model),
        ...omitUndefined({ light: light === undefined ? undefined : create(light) }),
        others: names.map(create),
      });
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
    ...storedKeyActions({ keys, cipher, modelFromKey }, (ownerId) => cache.delete(ownerId)),
    async put(ownerId, name, input, state = "tested") {
      const { provider, key, model } = parseKey(name, input);
      createModel(modelFromKey, { provider, key, model });
      await keys.put(ownerId, {
        provider,
        sealedKey: cipher.seal(contextOf(ownerId, provider), key),
        hint: key.slice(-hintLength),
        model,
        state,
      });
      cache.delete(ownerId);
    },
    async remove(ownerId, name) {
      await keys.remove(ownerId, storedProviderOf(name));
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

/** Binds a sealed key to its owner and provider. */
const contextOf = (ownerId: string, provider: string) => JSON.stringify([ownerId, provider, "key"]);

/** What an owner does with a stored key, and with a model that needs none. */
function storedKeyActions(
  { keys, cipher, modelFromKey }: Pick<ModelKeysDeps, "keys" | "cipher" | "modelFromKey">,
  onChange: (ownerId: string) => void,
): Pick<ModelKeyService, "testAgain" | "accept" | "useLocal"> {
  return {
    async testAgain(ownerId, name) {
      const provider = storedProviderOf(name);
      const stored = await keys.get(ownerId, provider);
      if (!stored) throw new BronError("not_found", "Model key not found.");
      const { sealedKey, hint, model } = stored;
      const key = cipher.open(contextOf(ownerId, provider), sealedKey);
      try {
        const createdModel = createModel(modelFromKey, { provider, key, model });
        const tried = createdModel
          ? await testModel(withOwnKey(createdModel, { provider, key, hint }))
          : "not_reached";
        if (tried === "works") await keys.setState(ownerId, provider, "tested");
        return tried;
      } catch (error) {
        if (BronError.is(error, "invalid_input")) await keys.remove(ownerId, provider);
        throw error;
      } finally {
        onChange(ownerId);
      }
    },
    async accept(ownerId, name) {
      await keys.setState(ownerId, storedProviderOf(name), "accepted");
      onChange(ownerId);
    },
    async useLocal(ownerId, { server, url, model }) {
      const provider = "local";
      const createdModel = createModel(modelFromKey, { provider, key: url, model });
      const name = localServerNames[server];
      if (!createdModel) throw new BronError("invalid_input", "Local models can't be used here.");
      // The first call of a model may load it, which takes a while.
      if ((await testModel(createdModel, localTimeoutMs)) !== "works")
        throw new BronError("invalid_input", `${name} didn't answer with ${model}. Try again.`);
      await keys.put(ownerId, {
        provider,
        sealedKey: cipher.seal(contextOf(ownerId, provider), url),
        hint: server,
        model,
        state: "tested",
      });
      onChange(ownerId);
    },
  };
}

function providerOf(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known === name);
  if (!provider) throw new BronError("not_found", `Unknown provider ${name}.`);
  return provider;
}

function storedProviderOf(name: string): ModelKeyProvider {
  return name === "local" ? name : providerOf(name);
}

function parseKey(name: string, input: NewKey): OwnerModelKey & { provider: ModelProvider } {
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
