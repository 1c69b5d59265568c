import type { ModelProvider } from "./model-settings.ts";

/**
 * Enough for a message with thinking. A higher value would only increase what a budget must reserve
 * for every call.
 */
const defaultTokens = 32_000;

/** Models with a lower limit than the default. */
const smallerLimits: readonly (readonly [prefix: string, tokens: number])[] = [
  ["gemini-2.0-", 8_192],
  ["gemini-1.5-", 8_192],
  ["claude-3-5-", 8_192],
  ["claude-3-haiku", 4_096],
  ["claude-3-opus", 4_096],
];

/** An unknown server may have a small context and reject a higher limit. */
const unknownServerTokens = 4_096;

export function outputLimit(provider: ModelProvider, modelId: string): number {
  if (provider === "openai") return unknownServerTokens;
  return smallerLimits.find(([prefix]) => modelId.startsWith(prefix))?.[1] ?? defaultTokens;
}
