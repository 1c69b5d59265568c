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
  return withOptions(model, (options) =>
    withPromptCache(bindsThinking.test(modelId) ? withoutStaleThinking(options) : options),
  );
}

function withOptions(
  model: LanguageModelV4,
  change: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions,
): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    doGenerate: (options) => model.doGenerate(change(options)),
    doStream: (options) => model.doStream(change(options)),
  };
}

const cached = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Lets Anthropic cache the tools, the system prompt and the messages so far, for five minutes. The
 * next step of the run sends the same again, and more. A call without tools is not a step: nothing
 * follows it, so the higher price of writing to the cache would be wasted.
 */
function withPromptCache(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools = [] } = options;
  if (tools.length === 0) return options;
  const lastSystem = prompt.findLastIndex(({ role }) => role === "system");
  const marked = new Set([lastSystem, prompt.length - 1]);
  return {
    ...options,
    tools: tools.map((tool, index) =>
      index === tools.length - 1 && tool.type === "function"
        ? { ...tool, providerOptions: { ...tool.providerOptions, ...cached } }
        : tool,
    ),
    prompt: prompt.map((message, index) =>
      marked.has(index)
        ? { ...message, providerOptions: { ...message.providerOptions, ...cached } }
        : message,
    ),
  };
}

/**
 * These models bind every thinking block to the preceding conversation, and respond with 400
 * ("bound to a different conversation") if it has changed. Bron masks old outputs and refreshes
 * memory, so it does change. The stale block must be dropped then.
 */
const bindsThinking = /claude-(opus|sonnet)-5-5|claude-fable-5-[1-9]/;

/** Options of the caller take precedence. */
function withoutStaleThinking(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  return {
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
  };
}
