import type { LanguageModelV4 } from "@ai-sdk/provider";

export interface ModelPrice {
  readonly inputMicrousdPerMillion: number;
  /** The price of input from the provider's cache. Without it, such input costs like any other. */
  readonly cachedInputMicrousdPerMillion?: number;
  /** The price of input that the provider writes to its cache. The default is that of input. */
  readonly cacheWriteMicrousdPerMillion?: number;
  readonly outputMicrousdPerMillion: number;
}

export interface RunModel {
  readonly model: LanguageModelV4;
  /** Display name, e.g. `gemini/gemini-2.5-flash`. */
  readonly name: string;
  /** Includes thinking tokens. */
  readonly maxOutputTokens: number;
  readonly price?: ModelPrice;
  /** The context window: the most input tokens of one call. Absent if unknown. */
  readonly contextTokens?: number;
  /** The media types of files that a request may contain, such as `image/png`. */
  readonly accepts?: readonly string[];
}

/** A running tool says how far it is. Not part of the log. */
export interface ProgressDelta {
  readonly runId: string;
  readonly step: number;
  readonly kind: "progress";
  readonly actionId: string;
  readonly message: string;
}

/** What a run streams while it works. */
export type Delta = TextDelta | ProgressDelta;

/** A piece of text that the model is streaming. Not part of the log. */
export interface TextDelta {
  readonly runId: string;
  readonly step: number;
  readonly attempt: number;
  readonly kind: "text" | "reasoning";
  readonly delta: string;
}
