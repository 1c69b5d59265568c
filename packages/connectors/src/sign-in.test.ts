import type { Sign } from "@bron/protocol";
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { createSignInState, readState, returnPathIn } from "./sign-in.ts";

const sign: Sign = (purpose, text) =>
  createHmac("sha256", "secret").update(`${purpose}\n${text}`).digest("base64url");
const begin = (returnTo?: string) =>
  createSignInState(sign, { provider: "google", ownerId: "eva", nonce: "n", now: 1_000, returnTo });

it("binds the page where a sign-in began to its state", () => {
  const { state } = begin("/threads/1");
  expect(readState(sign, { provider: "google", state, now: 2_000 })).toMatchObject({
    ownerId: "eva",
    nonce: "n",
    returnTo: "/threads/1",
  });
  expect(returnPathIn(sign, "google", state)).toBe("/threads/1");
  expect(returnPathIn(sign, "google", begin().state)).toBeUndefined();
});

it("knows no page for a state that was changed or is for another provider", () => {
  const { state } = begin("/threads/1");
  const [, signature = ""] = state.split(".");
  const fields = JSON.stringify(["eva", "n", 9_000_000, "//evil.example"]);
  const forged = `${Buffer.from(fields).toString("base64url")}.${signature}`;
  expect(returnPathIn(sign, "google", forged)).toBeUndefined();
  expect(returnPathIn(sign, "slack", state)).toBeUndefined();
  expect(returnPathIn(sign, "google", "nonsense")).toBeUndefined();
  expect(() => readState(sign, { provider: "google", state: forged, now: 2_000 })).toThrow(
    "wasn't started here",
  );
});
