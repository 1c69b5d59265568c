import { describe, expect, it } from "vitest";
import { costMicrousd, reserveMicrousd } from "./reservation.ts";

describe("the price of a model call", () => {
  const price = { inputMicrousdPerMillion: 300_000, outputMicrousdPerMillion: 1_500_000 };

  it("X6 is rounded up to a full microdollar", () => {
    expect(costMicrousd({ inputTokens: 1, outputTokens: 0 }, price)).toBe(1);
    expect(costMicrousd({ inputTokens: 4, outputTokens: 1 }, price)).toBe(3);
    expect(costMicrousd({ inputTokens: 10, outputTokens: 0 }, price)).toBe(3);
    expect(costMicrousd({ inputTokens: 0, outputTokens: 0 }, price)).toBe(0);
  });

  it("X6 counts cached input at its own price, or at the full price if that is unknown", () => {
    const usage = { inputTokens: 1_000, cachedInputTokens: 900, outputTokens: 10 };
    expect(costMicrousd(usage, { ...price, cachedInputMicrousdPerMillion: 30_000 })).toBe(
      Math.ceil((100 * 300_000 + 900 * 30_000 + 10 * 1_500_000) / 1_000_000),
    );
    expect(costMicrousd(usage, price)).toBe(315);
  });

  it("X6 is never lowered by more cached input than there was input", () => {
    const usage = { inputTokens: 10, cachedInputTokens: 1_000, outputTokens: 0 };
    expect(costMicrousd(usage, { ...price, cachedInputMicrousdPerMillion: 30_000 })).toBe(1);
  });

  it("X6 counts input that the provider writes to its cache at its own, higher price", () => {
    const cached = {
      ...price,
      cachedInputMicrousdPerMillion: 30_000,
      cacheWriteMicrousdPerMillion: 375_000,
    };
    const usage = {
      inputTokens: 1_000,
      cachedInputTokens: 600,
      cacheWriteTokens: 300,
      outputTokens: 0,
    };
    expect(costMicrousd(usage, cached)).toBe(
      Math.ceil((100 * 300_000 + 600 * 30_000 + 300 * 375_000) / 1_000_000),
    );
    expect(costMicrousd({ ...usage, cacheWriteTokens: 9_000 }, cached)).toBe(
      Math.ceil((600 * 30_000 + 400 * 375_000) / 1_000_000),
    );
    expect(costMicrousd(usage, price)).toBe(300);
  });

  it("X6 is reserved as if all of the input were written to the cache", () => {
    const cached = { ...price, cacheWriteMicrousdPerMillion: 375_000 };
    expect(reserveMicrousd(10_000, { maxOutputTokens: 2_000, price: cached })).toBe(
      Math.ceil((12_048 * 375_000 + 2_000 * 1_500_000) / 1_000_000),
    );
  });

  it("X6 is reserved for one token per request byte, the provider's framing and the maximum output", () => {
    expect(reserveMicrousd(10_000, { maxOutputTokens: 2_000, price })).toBe(
      Math.ceil((12_048 * 300_000 + 2_000 * 1_500_000) / 1_000_000),
    );
  });
});
