/** Micro-USD per million tokens: 300_000 is 0.30 USD per million. */
export interface ModelPrice {
  readonly inputMicrousdPerMillion: number;
  /** Input that the provider read from its cache. */
  readonly cachedInputMicrousdPerMillion?: number;
  /** Input that the provider wrote to its cache. */
  readonly cacheWriteMicrousdPerMillion?: number;
  readonly outputMicrousdPerMillion: number;
}

export const freePrice: ModelPrice = { inputMicrousdPerMillion: 0, outputMicrousdPerMillion: 0 };

/**
 * USD per million tokens, [input, output with thinking], as published in November 2026
 * (ai.google.dev/gemini-api/docs/pricing, platform.claude.com/docs/about-claude/pricing). If a
 * price has tiers by prompt length, or a launch discount that ends by January 2027, the table has
 * the higher price. A spending limit must hold, so a cost is never understated. A model that is not
 * in the table has no price.
 */
const usdPerMillion: Readonly<Record<string, readonly [input: number, output: number]>> = {
  "gemini-4-argon": [4, 20],
  "gemini-3.8-flash": [1.5, 7.5],
  "gemini-3.7-flash": [1.5, 7.5],
  "gemini-3.6-flash": [1.5, 7.5],
  "gemini-3.5-flash": [1.5, 9],
  "gemini-3.5-flash-lite": [0.3, 2.5],
  "gemini-3.1-pro": [4, 18],
  "gemini-3.1-flash-lite": [0.25, 1.5],
  "gemini-3-pro": [4, 18],
  "gemini-3-flash": [0.5, 3],
  "gemini-2.5-pro": [2.5, 15],
  "gemini-2.5-flash": [0.3, 2.5],
  "gemini-2.5-flash-lite": [0.1, 0.4],

  "claude-fable-5-1": [10, 50],
  "claude-opus-5-5": [4, 20],
  "claude-opus-5": [5, 25],
  "claude-opus-4-8": [5, 25],
  "claude-opus-4-7": [5, 25],
  "claude-opus-4-6": [5, 25],
  "claude-opus-4-5": [5, 25],
  "claude-opus-4-1": [15, 75],
  "claude-opus-4-0": [15, 75],
  "claude-opus-4": [15, 75],
  "claude-sonnet-5-5": [2, 10],
  "claude-sonnet-5": [2, 10],
  "claude-sonnet-4-6": [3, 15],
  "claude-sonnet-4-5": [3, 15],
  "claude-sonnet-4-0": [3, 15],
  "claude-sonnet-4": [3, 15],
  "claude-haiku-5-5": [0.5, 2.5],
  "claude-haiku-4-5": [1, 5],
};

/** The models of a provider that have a price, as they are in the table. */
export function pricedModels(provider: string): readonly string[] {
  const prefix = { gemini: "gemini-", anthropic: "claude-" }[provider];
  return prefix === undefined
    ? []
    : Object.keys(usdPerMillion).filter((name) => name.startsWith(prefix));
}

/** Gemini (2.5 and later) and Anthropic charge a tenth of the price for cached input. */
const cachedShare = 0.1;

/** Anthropic charges this much more for input that it caches for five minutes. */
const cacheWriteShare = 1.25;

/** The price of a model whose requests ask Anthropic to cache their start. */
export function withCacheWrites(price: ModelPrice): ModelPrice {
  return {
    ...price,
    cacheWriteMicrousdPerMillion: Math.ceil(price.inputMicrousdPerMillion * cacheWriteShare),
  };
}

/**
 * What may follow a known name without making it another model: a preview suffix, a date or a
 * revision.
 */
const versionSuffix = /^(-preview)?(-\d{2}-\d{2,4}|[-@]\d{8}|-\d{3}|-latest)?$/;

/**
 * Matches by prefix, so that dated IDs find their model. "claude-opus-5-9" is not "claude-opus-5"
 * and has no price.
 */
export function findPrice(modelId: string): ModelPrice | undefined {
  for (const [name, [input, output]] of Object.entries(usdPerMillion)) {
    if (modelId.startsWith(name) && versionSuffix.test(modelId.slice(name.length))) {
      return {
        inputMicrousdPerMillion: input * 1_000_000,
        cachedInputMicrousdPerMillion: Math.round(input * cachedShare * 1_000_000),
        outputMicrousdPerMillion: output * 1_000_000,
      };
    }
  }
  return undefined;
}
