import { omitUndefined } from "@bron/protocol";
import { createAnthropicModel } from "./anthropic.ts";
import { createGeminiModel } from "./gemini.ts";
import { acceptedFiles } from "./accepted-files.ts";
import { contextWindow } from "./context-window.ts";
import { parseModelDetails } from "./model-details.ts";
import { demoModelId, parseModelName, type ModelName } from "./model-name.ts";
import type { ChosenModel, ModelSettings } from "./model-settings.ts";
import { createOpenaiModel } from "./openai.ts";
import { outputLimit } from "./output-limit.ts";
import { findPrice, freePrice, withCacheWrites, type ModelPrice } from "./price.ts";
import { checkBaseUrl, checkKey, trimmed, invalidSetting } from "./setting-checks.ts";
import { createVertexModel, vertexAccess } from "./vertex.ts";
import type { LanguageModelV4 } from "@ai-sdk/provider";

/**
 * Sonnet 5 instead of 5.5, because it has the same price and does not bind thinking to an unchanged
 * history (see anthropic.ts).
 */
const defaultModels = { gemini: "gemini-3.8-flash", anthropic: "claude-sonnet-5" } as const;

/**
 * Throws BronError model_unknown or config_invalid and names the variable to set. Does not use the
 * network or the environment.
 */
export function chooseModel(settings: ModelSettings, variable = "BRON_MODEL"): ChosenModel {
  const requested = trimmed(settings.model);
  const name =
    requested === undefined ? defaultModel(settings) : parseModelName(requested, variable);
  const model = createModel(name, settings, variable);
  const details = parseModelDetails(settings.modelDetails).get(`${name.provider}/${name.modelId}`);
  const tokenPrice = details?.price ?? findModelPrice(name);
  const price =
    tokenPrice && name.provider === "anthropic" ? withCacheWrites(tokenPrice) : tokenPrice;
  const contextTokens = details?.contextTokens ?? contextWindow(name);
  const accepts = details?.accepts ?? acceptedFiles(name);
  return {
    model,
    accepts,
    provider: name.provider,
    modelId: name.modelId,
    maxOutputTokens: outputLimit(name.provider, name.modelId),
    ...omitUndefined({ price, contextTokens }),
    demo: name.provider === "demo",
  };
}

function defaultModel(settings: ModelSettings): ModelName {
  if (trimmed(settings.geminiApiKey) !== undefined)
    return { provider: "gemini", modelId: defaultModels.gemini };
  if (trimmed(settings.anthropicApiKey) !== undefined)
    return { provider: "anthropic", modelId: defaultModels.anthropic };
  const openaiVariable =
    trimmed(settings.openaiBaseUrl) !== undefined
      ? "OPENAI_BASE_URL"
      : trimmed(settings.openaiApiKey) !== undefined
        ? "OPENAI_API_KEY"
        : undefined;
  if (openaiVariable !== undefined) {
    throw invalidSetting(
      "BRON_MODEL",
      `${openaiVariable} is set, but no model is selected. Set BRON_MODEL to openai/<model>.`,
    );
  }
  if (trimmed(settings.demoBaseUrl) !== undefined)
    return { provider: "demo", modelId: demoModelId };
  throw invalidSetting(
    "GEMINI_API_KEY",
    "No model is configured. Set GEMINI_API_KEY or ANTHROPIC_API_KEY, or OPENAI_BASE_URL with BRON_MODEL.",
  );
}

function createModel(name: ModelName, settings: ModelSettings, variable: string): LanguageModelV4 {
  switch (name.provider) {
    case "gemini": {
      const key = requireKey("GEMINI_API_KEY", settings.geminiApiKey, { name, variable });
      return createGeminiModel(
        name.modelId,
        key,
        checkBaseUrl("GEMINI_BASE_URL", settings.geminiBaseUrl),
      );
    }
    case "vertex": {
      if (!name.modelId.startsWith("gemini-"))
        throw invalidSetting(
          variable,
          `${variable} is set to vertex/${name.modelId}, but Bron uses Vertex AI for Gemini only. Set it to vertex/<Gemini model>.`,
        );
      return createVertexModel(name.modelId, vertexAccess(settings));
    }
    case "anthropic": {
      const key = requireKey("ANTHROPIC_API_KEY", settings.anthropicApiKey, { name, variable });
      return createAnthropicModel(
        name.modelId,
        key,
        checkBaseUrl("ANTHROPIC_BASE_URL", settings.anthropicBaseUrl),
      );
    }
    case "openai": {
      const apiKey = checkKey("OPENAI_API_KEY", settings.openaiApiKey);
      const baseUrl = checkBaseUrl("OPENAI_BASE_URL", settings.openaiBaseUrl);
      if (apiKey === undefined && baseUrl === undefined) {
        throw invalidSetting(
          "OPENAI_BASE_URL",
          `${variable} is set to openai/${name.modelId}, but neither OPENAI_BASE_URL nor OPENAI_API_KEY is set. Set the URL of the server, or an OpenAI key.`,
        );
      }
      return createOpenaiModel(name.modelId, omitUndefined({ apiKey, baseUrl }));
    }
    case "demo": {
      const baseUrl = checkBaseUrl("BRON_MODEL", settings.demoBaseUrl);
      if (baseUrl === undefined) {
        throw invalidSetting(
          variable,
          `${variable} is set to the demo model, but it is not running here. Start Bron in demo mode, or set GEMINI_API_KEY or ANTHROPIC_API_KEY and another ${variable}.`,
        );
      }
      return createGeminiModel(name.modelId, "demo", baseUrl);
    }
  }
}

function requireKey(
  keyVariable: string,
  value: string | undefined,
  { name, variable }: { readonly name: ModelName; readonly variable: string },
): string {
  const key = checkKey(keyVariable, value);
  if (key === undefined) {
    throw invalidSetting(
      keyVariable,
      `${variable} is set to ${name.provider}/${name.modelId}, but ${keyVariable} is not set. Set it, or choose another model with ${variable}.`,
    );
  }
  return key;
}

/**
 * An OpenAI-compatible URL may belong to anyone, so its price is not derived from the model's name.
 */
function findModelPrice(name: ModelName): ModelPrice | undefined {
  if (name.provider === "demo") return freePrice;
  return name.provider === "openai" ? undefined : findPrice(name.modelId);
}
