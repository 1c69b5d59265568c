import { expect, it } from "vitest";
import { describeModel } from "./describe-model.ts";

const model = { name: "m", roles: [], contextTokens: null, price: null, acceptsImages: false };

it("says what is known about a model", () => {
  expect(describeModel(model)).toBe("Price unknown · No images");
  expect(
    describeModel({
      ...model,
      contextTokens: 1_000_000,
      price: { input: 1_500_000, cachedInput: 150_000, output: 7_500_000 },
      acceptsImages: true,
    }),
  ).toBe("1M tokens of context · $1.50 input and $7.50 output per million tokens · Accepts images");
});
