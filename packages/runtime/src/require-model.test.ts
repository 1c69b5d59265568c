import { createModelSet, type RunModel } from "@bron/core";
import { expect, it } from "vitest";
import { requireModel } from "./require-model.ts";

const named = (name: string): RunModel => ({
  name,
  maxOutputTokens: 1,
  model: undefined as unknown as RunModel["model"],
});

it("names the known models when it refuses one", () => {
  const models = createModelSet({ main: named("gemini/a"), others: [named("anthropic/b")] });
  expect(requireModel(models, "b")).toBe("anthropic/b");
  expect(() => requireModel(models, "c\u0000")).toThrow(
    expect.objectContaining({
      code: "invalid_input",
      message: 'model: there is no model "c\uFFFD" here. Choose one of: gemini/a, anthropic/b.',
    }),
  );
});
