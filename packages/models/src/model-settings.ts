import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelPrice } from "./price.ts";

/** What the composition root read from the environment. An empty string counts as not given. */
export interface ModelSettings {
  /** "gemini/gemini-2.5-flash", "anthropic/claude-sonnet-5", "openai/<id>", "demo"; also bare "gemini-…" and "claude-…". */
  readonly model?: string;
  readonly geminiApiKey?: string;
  readonly geminiBaseUrl?: string;
  readonly anthropicApiKey?: string;
  readonly anthropicBaseUrl?: string;
  readonly openaiApiKey?: string;
  /** Any server that speaks OpenAI's chat completions, with its version path: "http://127.0.0.1:11434/v1". */
  readonly openaiBaseUrl?: string;
  /** Address of the scripted demo model; used when no key is given and for model "demo/...". */
  readonly demoBaseUrl?: string;
}

export type ModelProvider = "gemini" | "anthropic" | "openai" | "demo";

export interface ChosenModel {
  /** Throws APICallError from doStream; never retries by itself (see provider-contract.test.ts). */
  readonly model: LanguageModelV4;
  readonly provider: ModelProvider;
  readonly modelId: string;
  /** The most output to ask for in one call, thinking included; never more than the model can give. */
  readonly maxOutputTokens: number;
  /** Absent when unknown; a money cap then refuses. */
  readonly price?: ModelPrice;
  readonly demo: boolean;
}
