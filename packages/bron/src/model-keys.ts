import { BronError, type Clock, type RunModel } from "@bron/core";
import { api, modelProviders, type ModelKeyView, type ModelProvider } from "@bron/protocol";
import type { ModelKeys } from "@bron/store";
import type { Cipher } from "./cipher.ts";
import { parseInput } from "./parse-input.ts";
import { unusableModel, withOwnKey } from "./own-key-model.ts";
import { tryModel, type Trial } from "./try-model.ts";

interface NewKey {
  readonly key: string;
  readonly model?: string | undefined;
}

/** Model keys of the owner's own. They go in and are used; they never come out again. */
export interface ModelKeyService {
  /** The first one is the one that counts. */
  list(ownerId: string): Promise<ModelKeyView[]>;
  /** Asks the provider for a word, at the owner's cost. Throws invalid_input, in the provider's words, for a key or a model that it refuses. */
  try(provider: string, given: NewKey): Promise<Trial>;
  /** In the place of one for the same provider; the owner's runs use it from their next segment on. Throws not_found for a provider that there is not, and invalid_input. */
  put(ownerId: string, provider: string, given: NewKey): Promise<void>;
  /** Throws not_found. */
  remove(ownerId: string, provider: string): Promise<void>;
}

export interface OwnModel {
  readonly provider: ModelProvider;
  readonly key: string;
  /** Null: whichever is usual with this provider. */
  readonly model: string | null;
}

/** Makes a model of an owner's key, without asking anybody. Throws a BronError that says what is wrong with it. */
export type ModelOf = (own: OwnModel) => RunModel;

interface ModelKeysDeps {
  readonly keys: ModelKeys;
  readonly cipher: Cipher;
  readonly modelOf: ModelOf | undefined;
  /** For owners without a key. */
  readonly usual: RunModel;
  readonly clock: Clock;
}

/** How long a change in another process may go unnoticed. */
const cacheMs = 30_000;
const maxCached = 1_000;
const hintLength = 4;

export function createModelKeys({
  keys,
  cipher,
  modelOf,
  usual,
  clock,
}: ModelKeysDeps): ModelKeyService & { modelFor(ownerId: string): Promise<RunModel> } {
  const cache = new Map<string, { readonly until: number; readonly model: Promise<RunModel> }>();
  const placeOf = (ownerId: string, provider: string) => JSON.stringify([ownerId, provider, "key"]);

  const load = async (ownerId: string): Promise<RunModel> => {
    const stored = modelOf && (await keys.latest(ownerId));
    if (!stored) return usual;
    const { provider, sealedKey, hint, model } = stored;
    try {
      const key = cipher.open(placeOf(ownerId, provider), sealedKey);
      return withOwnKey(modelOf({ provider, key, model }), { provider, key, hint });
    } catch (error) {
      return unusableModel(usual, { provider, hint }, error);
    }
  };

  return {
    list: keys.list,
    async try(name, given) {
      const own = check(name, given);
      const made = make(modelOf, own);
      return made
        ? await tryModel(withOwnKey(made, { ...own, hint: own.key.slice(-hintLength) }))
        : "not_reached";
    },
    async put(ownerId, name, given) {
      const { provider, key, model } = check(name, given);
      make(modelOf, { provider, key, model });
      await keys.put(ownerId, {
        provider,
        sealedKey: cipher.seal(placeOf(ownerId, provider), key),
        hint: key.slice(-hintLength),
        model,
      });
      cache.delete(ownerId);
    },
    async remove(ownerId, name) {
      await keys.remove(ownerId, providerOf(name));
      cache.delete(ownerId);
    },
    modelFor(ownerId) {
      const cached = cache.get(ownerId);
      if (cached && clock.monotonic() < cached.until) return cached.model;
      if (cache.size >= maxCached) cache.clear();
      const entry = { until: clock.monotonic() + cacheMs, model: load(ownerId) };
      cache.set(ownerId, entry);
      // What could not be read is asked for again.
      entry.model.catch(() => cache.get(ownerId) === entry && cache.delete(ownerId));
      return entry.model;
    },
  };
}

function providerOf(name: string): ModelProvider {
  const provider = modelProviders.find((known) => known === name);
  if (!provider) throw new BronError("not_found", `There is no provider ${name}.`);
  return provider;
}

function check(name: string, given: NewKey): OwnModel {
  const provider = providerOf(name);
  const { key, model = null } = parseInput(api["PUT /api/model-keys/:provider"].body, given);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new BronError(
      "invalid_input",
      "key: it has a character that no key has, such as a space. Copy it again.",
    );
  return { provider, key, model };
}

function make(modelOf: ModelOf | undefined, own: OwnModel): RunModel | undefined {
  try {
    return modelOf?.(own);
  } catch (error) {
    if (!BronError.is(error)) throw error;
    throw new BronError("invalid_input", error.message, { cause: error });
  }
}
