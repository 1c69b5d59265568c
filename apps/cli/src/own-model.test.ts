import { chooseModel, type ModelSettings } from "@bron/models";
import type { OwnerModelKey } from "@bron/runtime";
import { expect, test } from "vitest";
import { ownSettings } from "./own-model.ts";

const configured: ModelSettings = {
  model: "gemini/gemini-2.5-pro",
  geminiApiKey: "ours-1",
  anthropicApiKey: "ours-2",
  openaiApiKey: "ours-3",
  demoBaseUrl: "http://127.0.0.1:1",
  geminiBaseUrl: "http://gemini.example",
  anthropicBaseUrl: "http://anthropic.example",
  openaiBaseUrl: "http://openai.example",
};
const own = (provider: OwnerModelKey["provider"], model: string | null = null): OwnerModelKey => ({
  provider,
  key: "theirs",
  model,
});
const chosen = (of: OwnerModelKey, settings = configured) => {
  const { provider, modelId, demo } = chooseModel(ownSettings(settings, of));
  return { provider, modelId, demo };
};

test.each([
  [own("gemini"), { geminiApiKey: "theirs", geminiBaseUrl: "http://gemini.example" }],
  [own("anthropic"), { anthropicApiKey: "theirs", anthropicBaseUrl: "http://anthropic.example" }],
  [own("openai", "gpt-5"), { openaiApiKey: "theirs", openaiBaseUrl: "http://openai.example" }],
])("keeps only the configured base URL, never the configured key: $provider", (of, expected) => {
  const { model: _, ...settings } = ownSettings(configured, of);
  expect(settings).toEqual(expected);
});

test("uses the named model, else the configured model of that provider, else its default", () => {
  expect(chosen(own("gemini", "gemini-3.8-flash"))).toEqual({
    provider: "gemini",
    modelId: "gemini-3.8-flash",
    demo: false,
  });
  expect(chosen(own("gemini"))).toEqual({
    provider: "gemini",
    modelId: "gemini-2.5-pro",
    demo: false,
  });
  expect(chosen(own("gemini"), {})).toMatchObject({ provider: "gemini", demo: false });
  expect(chosen(own("anthropic"))).toMatchObject({ provider: "anthropic", demo: false });
  expect(chosen(own("openai", "openai/gpt-oss-120b"))).toMatchObject({
    provider: "openai",
    modelId: "openai/gpt-oss-120b",
  });
  expect(chosen(own("openai"), { model: "openai/qwen3" })).toMatchObject({
    provider: "openai",
    modelId: "qwen3",
  });
});

test("an openai key requires a model name", () => {
  expect(() => ownSettings(configured, own("openai"))).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});

test("keeps the prices and windows that the installation names", () => {
  const settings = { ...configured, modelDetails: "openai/gpt-5 price=1/2 window=1000" };
  expect(chooseModel(ownSettings(settings, own("openai", "gpt-5")))).toMatchObject({
    contextTokens: 1_000,
    price: { inputMicrousdPerMillion: 1_000_000 },
  });
});
