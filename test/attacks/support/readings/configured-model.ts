import type { RunModel } from "@bron/core";
import { chooseModels } from "@bron/models";
import { omitUndefined } from "@bron/protocol";
import { loadConfig, type Environment } from "../../../../apps/cli/src/config.ts";

/**
 * The model that reads the owner's words in an installation with this environment. Throws if none is
 * configured.
 */
export function configuredModel(env: Environment): RunModel {
  const { main, light = main } = chooseModels(loadConfig(env).model);
  const { model, provider, modelId, maxOutputTokens, price } = light;
  return {
    model,
    name: `${provider}/${modelId}`,
    maxOutputTokens,
    ...omitUndefined({ price }),
  };
}
