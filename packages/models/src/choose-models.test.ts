import { describe, expect, it } from "vitest";
import { chooseModels } from "./choose-models.ts";
import { parseModelDetails } from "./model-details.ts";

const keys = { geminiApiKey: "g", anthropicApiKey: "a" };

describe("the models of an installation", () => {
  it("are one model if no other is named", () => {
    const { main, light, lastResort, others } = chooseModels(keys);
    expect(main).toMatchObject({ modelId: "gemini-3.8-flash", contextTokens: 1_048_576 });
    expect([light, lastResort, others]).toEqual([undefined, undefined, []]);
  });

  it("have roles", () => {
    const { light, lastResort, others } = chooseModels({
      ...keys,
      lightModel: "gemini-2.5-flash-lite",
      lastResortModel: " anthropic/claude-haiku-4-5 ",
      otherModels: "claude-opus-5-5, gemini/gemini-3-flash,",
    });
    expect(light).toMatchObject({ provider: "gemini", modelId: "gemini-2.5-flash-lite" });
    expect(lastResort).toMatchObject({ modelId: "claude-haiku-4-5", contextTokens: 200_000 });
    expect(others.map(({ modelId }) => modelId)).toEqual(["claude-opus-5-5", "gemini-3-flash"]);
  });

  it("are refused with the variable of their role", () => {
    expect(() => chooseModels({ ...keys, lightModel: "llama" })).toThrow(/BRON_LIGHT_MODEL is/);
    expect(() => chooseModels({ geminiApiKey: "g", lastResortModel: "claude-opus-5" })).toThrow(
      /BRON_LAST_RESORT_MODEL is set to anthropic\/claude-opus-5, but ANTHROPIC_API_KEY is not set/,
    );
    expect(() => chooseModels({ ...keys, otherModels: "gemini-3-flash,x/y" })).toThrow(
      /BRON_OTHER_MODELS is "x\/y"/,
    );
  });

  it("take prices and windows that the installation names", () => {
    const { main } = chooseModels({
      model: "openai/mine",
      openaiBaseUrl: "http://127.0.0.1:1/v1",
      modelDetails: "openai/mine price=2.5/10/0.25 window=128000; gemini/x window=1000",
    });
    expect(main.contextTokens).toBe(128_000);
    expect(main.price).toEqual({
      inputMicrousdPerMillion: 2_500_000,
      cachedInputMicrousdPerMillion: 250_000,
      outputMicrousdPerMillion: 10_000_000,
    });
  });

  it.each([
    "mine price=1/2",
    "openai/mine",
    "openai/mine price=1",
    "openai/mine price=1/-2",
    "openai/mine price=1/2/3/4",
    "openai/mine price=1/99999999",
    "openai/mine window=many",
    "openai/mine color=blue",
  ])("refuse the details %s", (details) => {
    expect(() => parseModelDetails(details)).toThrow(/BRON_MODEL_DETAILS/);
  });
});
