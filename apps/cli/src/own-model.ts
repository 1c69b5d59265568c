import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import { pricedModels, type ModelSettings } from "@bron/models";
import type { ModelsOfKey, OwnerModelKey } from "@bron/runtime";

/**
 * Settings for an owner's own key. Keeps the configured base URLs, prices and windows but never the configured keys.
 * Uses BRON_MODEL only if it names the same provider.
 */
export function ownSettings(
  {
    model: configured,
    geminiBaseUrl,
    anthropicBaseUrl,
    openaiBaseUrl,
    modelDetails,
  }: ModelSettings,
  { provider, key, model }: OwnerModelKey,
): ModelSettings {
  if (provider === "local") return localSettings(key, model ?? "");
  const defaultModel = configured?.startsWith(`${provider}/`) === true ? configured : undefined;
  const wanted = model === null ? defaultModel : `${provider}/${model}`;
  const named = omitUndefined({ model: wanted, modelDetails });
  switch (provider) {
    case "gemini":
      return { ...named, geminiApiKey: key, ...omitUndefined({ geminiBaseUrl }) };
    case "anthropic":
      return { ...named, anthropicApiKey: key, ...omitUndefined({ anthropicBaseUrl }) };
    case "openai":
      if (wanted === undefined)
        throw new BronError(
          "invalid_input",
          "model: required, because openai has no default model.",
        );
      return { ...named, openaiApiKey: key, ...omitUndefined({ openaiBaseUrl }) };
  }
}

/** A model on this machine costs nothing. */
function localSettings(url: string, model: string): ModelSettings {
  return {
    model: `openai/${model}`,
    openaiBaseUrl: url,
    modelDetails: `openai/${model} price=0/0`,
  };
}

/**
 * The models that a key can choose: those of Bron's table, and the configured light model if it is of
 * the same provider.
 */
export function modelsOfKey({ lightModel }: ModelSettings): ModelsOfKey {
  return (provider) => {
    const prefix = `${provider}/`;
    const light = lightModel?.startsWith(prefix) ? lightModel.slice(prefix.length) : undefined;
    return { models: pricedModels(provider), ...omitUndefined({ light }) };
  };
}
