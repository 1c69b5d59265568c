import { omitUndefined } from "@bron/protocol";
import { BronError } from "@bron/core";
import type { ModelSettings } from "@bron/models";
import type { OwnModel } from "bron";

/** Of what is configured only the addresses count: whoever brings a key never uses ours. BRON_MODEL counts where it names the same provider. */
export function ownSettings(
  { model: configured, geminiBaseUrl, anthropicBaseUrl, openaiBaseUrl }: ModelSettings,
  { provider, key, model }: OwnModel,
): ModelSettings {
  const usual = configured?.startsWith(`${provider}/`) === true ? configured : undefined;
  const wanted = model === null ? usual : `${provider}/${model}`;
  const named = wanted === undefined ? {} : { model: wanted };
  switch (provider) {
    case "gemini":
      return { ...named, geminiApiKey: key, ...omitUndefined({ geminiBaseUrl }) };
    case "anthropic":
      return { ...named, anthropicApiKey: key, ...omitUndefined({ anthropicBaseUrl }) };
    case "openai":
      if (wanted === undefined)
        throw new BronError("invalid_input", "model: name it too, since openai has no usual one.");
      return { ...named, openaiApiKey: key, ...omitUndefined({ openaiBaseUrl }) };
  }
}
