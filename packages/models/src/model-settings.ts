import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelPrice } from "./price.ts";
import type { VertexSettings } from "./vertex.ts";

/** The settings that the caller read from the environment. An empty string counts as unset. */
export interface ModelSettings extends VertexSettings {
  /**
   * "gemini/gemini-2.5-flash", "vertex/gemini-2.5-flash", "anthropic/claude-sonnet-5", "openai/<id>" or "demo". Bare names
   * such as "gemini-…" and "claude-…" are accepted too.
   */
  readonly model?: string;
  /** Names like that of `model`, for the other roles. */
  readonly lightModel?: string;
  readonly lastResortModel?: string;
  /** More models that runs and Brons can choose, separated by commas. */
  readonly otherModels?: string;
  /** Prices and context windows in place of Bron's own. See `parseModelDetails`. */
  readonly modelDetails?: string;
  readonly geminiApiKey?: string;
  readonly geminiBaseUrl?: string;
  readonly anthropicApiKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly openaiApiKey?: string;
  /**
   * Any server with OpenAI's chat completions API, including the version path, such as
   * "http://127.0.0.1:11434/v1".
   */
  readonly openaiBaseUrl?: string;
  /** The URL of the demo model. It is used if no key is set, and for the model "demo/...". */
  readonly demoBaseUrl?: string;
}

export type ModelProvider = "gemini" | "vertex" | "anthropic" | "openai" | "demo";

export interface ChosenModel {
  /** Its doStream throws APICallError. It never retries (see provider-contract.test.ts). */
  readonly model: LanguageModelV4;
  readonly provider: ModelProvider;
  readonly modelId: string;
  /** The maximum output of one call, including thinking. Never more than the model supports. */
  readonly maxOutputTokens: number;
  /** Absent if unknown. Runs with a spending limit are then rejected. */
  readonly price?: ModelPrice;
  /** Absent if unknown. */
  readonly contextTokens?: number;
  /** The media types of files that a request may contain. */
  readonly accepts: readonly string[];
  readonly demo: boolean;
}
