import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { lazyModel } from "./lazy-model.ts";

const anthropicUrl = "https://api.anthropic.com/v1";

/**
 * The key and the URL are always passed, because without them the provider would read the
 * environment.
 */
export function createAnthropicModel(
  modelId: string,
  apiKey: string,
  baseUrl: string = anthropicUrl,
): LanguageModelV4 {
  const model = lazyModel({ provider: "anthropic", modelId }, async () => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic({ apiKey, baseURL: baseUrl })(modelId);
  });
  return bindsThinking.test(modelId) ? withoutStaleThinking(model) : model;
}

/**
 * These models bind every thinking block to the preceding conversation, and respond with 400
 * ("bound to a different conversation") if it has changed. Bron masks old outputs and refreshes
 * memory, so it does change. The stale block must be dropped then.
 */
const bindsThinking = /claude-(opus|sonnet)-5-5|claude-fable-5-[1-9]/;

/** Options of the caller take precedence. */
function withoutStaleThinking(model: LanguageModelV4): LanguageModelV4 {
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
