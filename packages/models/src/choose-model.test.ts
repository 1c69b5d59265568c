import { BronError } from "@bron/core";
import { describe, expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";
import type { ModelSettings } from "./model-settings.ts";

const choose = (settings: ModelSettings) => {
  const { provider, modelId, demo } = chooseModel(settings);
  return { provider, modelId, demo };
};

function failure(settings: ModelSettings): BronError {
  try {
    chooseModel(settings);
  } catch (error) {
    if (BronError.is(error)) return error;
    throw error;
  }
  throw new Error("did not throw");
}

const demoBaseUrl = "http://127.0.0.1:4400/v1beta";

describe("without BRON_MODEL", () => {
  test("a Gemini key chooses a flash model", () => {
    expect(choose({ geminiApiKey: "k", anthropicApiKey: "k", demoBaseUrl })).toEqual({
      provider: "gemini",
      modelId: "gemini-3.8-flash",
      demo: false,
    });
  });

  test("an Anthropic key chooses a sonnet", () => {
    expect(choose({ anthropicApiKey: "k", demoBaseUrl })).toEqual({
      provider: "anthropic",
      modelId: "claude-sonnet-5",
      demo: false,
    });
  });

  test("no key chooses the demo model, which is free", () => {
    expect(choose({ geminiApiKey: " ", demoBaseUrl })).toEqual({
      provider: "demo",
      modelId: "gemini-demo",
      demo: true,
    });
    expect(chooseModel({ demoBaseUrl }).price).toEqual({
      inputMicrousdPerMillion: 0,
      outputMicrousdPerMillion: 0,
    });
  });

  test("an OpenAI-compatible URL needs a model", () => {
    const error = failure({ openaiBaseUrl: "http://127.0.0.1:11434/v1", demoBaseUrl });
    expect(error.code).toBe("config_invalid");
    expect(error.message).toBe(
      "OPENAI_BASE_URL is set, but no model is selected. Set BRON_MODEL to openai/<model>.",
    );
    expect(failure({ openaiApiKey: "k" }).message).toContain("OPENAI_API_KEY is set");
  });

  test("explains what to set if nothing is set", () => {
    expect(failure({}).message).toContain("Set GEMINI_API_KEY or ANTHROPIC_API_KEY");
  });
});

describe("with BRON_MODEL", () => {
  test.each([
    ["gemini/gemini-2.5-flash", "gemini", "gemini-2.5-flash"],
    ["google/gemini-2.5-flash", "gemini", "gemini-2.5-flash"],
    ["gemini-2.5-pro", "gemini", "gemini-2.5-pro"],
    ["anthropic/claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"],
    [" claude-opus-5 ", "anthropic", "claude-opus-5"],
    ["openai/meta-llama/Llama-4", "openai", "meta-llama/Llama-4"],
    ["demo", "demo", "gemini-demo"],
    ["demo/gemini-other", "demo", "gemini-other"],
  ])("%s", (model, provider, modelId) => {
    const keys = { geminiApiKey: "k", anthropicApiKey: "k", openaiApiKey: "k", demoBaseUrl };
    expect(choose({ ...keys, model })).toEqual({ provider, modelId, demo: provider === "demo" });
  });

  test.each([
    ["mistral/large", 'there is no provider "mistral"'],
    ["gpt-5", "it has no provider"],
    ["gemini/", "the model after the slash is missing"],
  ])("%s is unknown", (model, reason) => {
    const error = failure({ model, geminiApiKey: "k" });
    expect(error.code).toBe("model_unknown");
    expect(error.message).toContain(reason);
    expect(error.message).toContain("BRON_MODEL");
  });

  test.each([
    ["gemini/gemini-2.5-flash", "GEMINI_API_KEY"],
    ["claude-sonnet-5", "ANTHROPIC_API_KEY"],
    ["openai/qwen3", "OPENAI_BASE_URL"],
    ["demo", "BRON_MODEL"],
  ])("%s without what it needs names %s", (model, variable) => {
    const error = failure({ model });
    expect(error.code).toBe("config_invalid");
    expect(error.details).toEqual({ variable });
    expect(error.message).toContain(variable);
  });
});

describe("values", () => {
  test("rejects a key with a line break without repeating it", () => {
    const error = failure({ geminiApiKey: "AIza-first\nsecond" });
    expect(error.details).toEqual({ variable: "GEMINI_API_KEY" });
    expect(error.message).not.toContain("AIza");
  });

  test.each([
    "models.example.com",
    "ftp://models.example.com",
    "https://user:secret@models.example.com",
  ])("the address %s is refused", (geminiBaseUrl) => {
    expect(failure({ geminiApiKey: "k", geminiBaseUrl }).details).toEqual({
      variable: "GEMINI_BASE_URL",
    });
  });

  test("price and output limit come with the model", () => {
    const chosen = chooseModel({ model: "claude-haiku-4-5", anthropicApiKey: "k" });
    expect(chosen.price).toEqual({
      inputMicrousdPerMillion: 1_000_000,
      cachedInputMicrousdPerMillion: 100_000,
      cacheWriteMicrousdPerMillion: 1_250_000,
      outputMicrousdPerMillion: 5_000_000,
    });
    expect(chosen.maxOutputTokens).toBe(32_000);
    expect(chooseModel({ model: "gemini-2.0-flash", geminiApiKey: "k" }).maxOutputTokens).toBe(
      8_192,
    );
  });

  test("an OpenAI-compatible server has no price, whatever its model's name", () => {
    expect(
      chooseModel({ model: "openai/claude-haiku-4-5", openaiApiKey: "k" }).price,
    ).toBeUndefined();
  });
});
