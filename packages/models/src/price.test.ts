import { expect, test } from "vitest";
import { findPrice } from "./price.ts";

test.each([
  ["gemini-2.5-flash", 300_000, 2_500_000],
  ["gemini-2.5-flash-preview-09-2025", 300_000, 2_500_000],
  ["gemini-2.5-flash-lite-preview-06-17", 100_000, 400_000],
  ["gemini-3-flash-preview", 500_000, 3_000_000],
  ["claude-sonnet-4-20250514", 3_000_000, 15_000_000],
  ["claude-opus-4-5-20251101", 5_000_000, 25_000_000],
  ["claude-opus-5-5", 4_000_000, 20_000_000],
])("%s", (modelId, input, output) => {
  expect(findPrice(modelId)).toEqual({
    inputMicrousdPerMillion: input,
    cachedInputMicrousdPerMillion: input / 10,
    outputMicrousdPerMillion: output,
  });
});

test.each(["claude-opus-5-9", "gemini-2.5-flash-image", "gemini-flash-latest", "gpt-5", ""])(
  "%s has no price",
  (modelId) => {
    expect(findPrice(modelId)).toBeUndefined();
  },
);
