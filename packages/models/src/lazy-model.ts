import type { LanguageModelV4 } from "@ai-sdk/provider";

/**
 * A model whose provider is loaded at the first call, so that a process loads only the provider it
 * uses.
 */
export function lazyModel(
  name: { readonly provider: string; readonly modelId: string },
  load: () => Promise<LanguageModelV4>,
): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined;
  const model = () => (loading ??= load());
  return {
    specificationVersion: "v4",
    ...name,
    // Files are never passed as URLs.
    supportedUrls: {},
    doGenerate: async (options) => await (await model()).doGenerate(options),
    doStream: async (options) => await (await model()).doStream(options),
  };
}
