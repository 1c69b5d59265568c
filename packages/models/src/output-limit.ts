import type { ModelProvider } from "./model-settings.ts";

/** Room for an answer with its thinking; more only raises what a budget must reserve for every call. */
const usualTokens = 32_000;

/** Models that can give less than the usual. */
const smallerLimits: readonly (readonly [prefix: string, tokens: number])[] = [
  ["gemini-2.0-", 8_192],
  ["gemini-1.5-", 8_192],
  ["claude-3-5-", 8_192],
  ["claude-3-haiku", 4_096],
  ["claude-3-opus", 4_096],
];

/** A server of unknown make may have a small context and refuse what does not fit in it. */
const compatibleTokens = 4_096;

export function outputLimit(provider: ModelProvider, modelId: string): number {
  if (provider === "openai") return compatibleTokens;
  return smallerLimits.find(([prefix]) => modelId.startsWith(prefix))?.[1] ?? usualTokens;
}
