import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical-json.ts";
import { effectDigest } from "./digest.ts";

const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, member]) => [key, shuffled(member)]),
    );
  return value;
};

describe("the canonical form", () => {
  it("is the same for equal JSON in any key order, and is valid JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it("differs when the JSON differs", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same =
          JSON.stringify(JSON.parse(canonicalJson(a))) ===
          JSON.stringify(JSON.parse(canonicalJson(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });

  it("rejects values that JSON cannot hold", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1n, () => undefined, Symbol("x")])
      expect(() => canonicalJson(value)).toThrow();
  });
});

describe("the digest of an effect", () => {
  const effect = {
    runId: "r",
    ownerId: "o",
    actionId: "a",
    seenBy: "others" as const,
    tool: "send",
    prepared: { to: "eva", body: "hi" },
  };
  const decision = { verdict: "ask", reasons: ["because"] } as const;

  it("X1 changes with every bound value", async () => {
    const base = await effectDigest(effect, decision);
    expect(base).toMatch(/^sha256:[0-9a-f]{64}$/);
    const others = await Promise.all([
      effectDigest({ ...effect, runId: "r2" }, decision),
      effectDigest({ ...effect, ownerId: "o2" }, decision),
      effectDigest({ ...effect, actionId: "a2" }, decision),
      effectDigest({ ...effect, tool: "send2" }, decision),
      effectDigest({ ...effect, prepared: { to: "eva", body: "hi " } }, decision),
      effectDigest(effect, { ...decision, verdict: "allow" }),
      effectDigest(effect, { ...decision, reasons: ["because", "also"] }),
    ]);
    expect(new Set([base, ...others]).size).toBe(8);
  });
});
