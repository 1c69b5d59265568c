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

  it("X6 is reserved for one token per request byte, the provider's framing and the maximum output", () => {
    expect(reserveMicrousd(10_000, 2_000, price)).toBe(
      Math.ceil((12_048 * 300_000 + 2_000 * 1_500_000) / 1_000_000),
    );
  });
});
