import type { LanguageModelV4 } from "@ai-sdk/provider";
import { lazyModel } from "./lazy-model.ts";

const geminiUrl = "https://generativelanguage.googleapis.com/v1beta";

/** The key is always passed, because without one the provider would read the environment. */
export function createGeminiModel(
  modelId: string,
  apiKey: string,
  baseUrl: string = geminiUrl,
): LanguageModelV4 {
  return lazyModel({ provider: "google", modelId }, async () => {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    return createGoogleGenerativeAI({ apiKey, baseURL: baseUrl })(modelId);
  });
}
