import { expect, test } from "vitest";
import { callId, isOwnCall, isSignatureOf, newNonce, thoughtSignature } from "./signatures.ts";

test("derives the same ids and signatures from the same nonce in every process", () => {
  expect(callId("0011223344556677", 0)).toBe("call_0011223344556677_0_eb740dfcb8338edddb834b70");
  expect(thoughtSignature("0011223344556677", "clock")).toBe("ABEiM0RVZncTvWBsoE1tc8OvRrs=");
});

test("signs every turn differently", () => {
  expect(thoughtSignature(newNonce(), "clock")).not.toBe(thoughtSignature(newNonce(), "clock"));
});

test("recognizes its own calls by their ids", () => {
  const id = callId("0011223344556677", 3);
  expect(isOwnCall(id)).toBe(true);
  for (const other of [undefined, "", "toolu_1", id.slice(0, -1), id.replace("_3_", "_4_")])
    expect(isOwnCall(other)).toBe(false);
});

test("binds a signature to one call", () => {
  const nonce = newNonce();
  const signature = thoughtSignature(nonce, "clock");
  expect(isSignatureOf({ id: callId(nonce, 0), name: "clock" }, signature)).toBe(true);
  expect(isSignatureOf({ id: callId(nonce, 0), name: "calculator" }, signature)).toBe(false);
  expect(isSignatureOf({ id: callId(newNonce(), 0), name: "clock" }, signature)).toBe(false);
  expect(isSignatureOf({ name: "clock" }, "")).toBe(false);
});
