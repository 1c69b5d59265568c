import { omitUndefined } from "@bron/protocol";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import { lazyModel } from "./lazy-model.ts";

const openaiUrl = "https://api.openai.com/v1";

interface OpenaiAccess {
  readonly apiKey?: string;
  readonly baseUrl?: string;
}

/**
 * The name must not be "openaiCompatible", because metadata under that key is copied into the
 * messages. Usage is sent only on request.
 */
export function createOpenaiModel(modelId: string, access: OpenaiAccess): LanguageModelV4 {
  const baseURL = access.baseUrl ?? openaiUrl;
  return lazyModel({ provider: "openai", modelId }, async () => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "openai",
      baseURL,
      includeUsage: true,
      ...omitUndefined({ apiKey: access.apiKey }),
      ...(baseURL === openaiUrl ? { transformRequestBody: renameMaxTokens } : {}),
    })(modelId);
  });
}

/**
 * OpenAI's own reasoning models reject `max_tokens`, and most compatible servers support only that.
 */
export function renameMaxTokens(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: maxTokens, ...rest } = body;
  return maxTokens === undefined ? rest : { ...rest, max_completion_tokens: maxTokens };
}
