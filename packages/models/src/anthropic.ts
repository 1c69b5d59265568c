import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { lazyModel } from "./lazy-model.ts";

const anthropicUrl = "https://api.anthropic.com/v1";

/** Key and address are always passed: without them the provider would look into the environment by itself. */
export function createAnthropicModel(
  modelId: string,
  apiKey: string,
  baseUrl: string = anthropicUrl,
): LanguageModelV4 {
  const model = lazyModel({ provider: "anthropic", modelId }, async () => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, baseURL: baseUrl })(modelId);
  });
  return bindsThinking.test(modelId) ? withDroppedThinking(model) : model;
}

/**
 * These models tie every thinking block to all that came before it, and answer 400 ("bound to a different
 * conversation") when that changed. Bron masks old outputs and refreshes memory, so it does change; dropping the
 * stale block is then right.
 */
const bindsThinking = /claude-(opus|sonnet)-5-5|claude-fable-5-[1-9]/;

/** What the caller says about thinking wins. */
function withDroppedThinking(model: LanguageModelV4): LanguageModelV4 {
  const complete = (options: LanguageModelV4CallOptions): LanguageModelV4CallOptions => ({
    ...options,
    providerOptions: {
      ...options.providerOptions,
      anthropic: {
        thinking: {
          type: "adaptive",
          display: "summarized",
          blockBinding: { prefixMismatchBehavior: "drop_block" },
        },
        ...options.providerOptions?.["anthropic"],
      },
    },
  });
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(complete(options)),
    doStream: (options) => model.doStream(complete(options)),
  };
}
