import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

const tokens = (accessToken: string) => ({
  account: "eva@example.com",
  accessToken,
  refreshToken: "r",
  expiresAt: 1_800_000_000_000,
  scopes: ["mail"],
});

export function testAccounts({ store }: StoreHarness): void {
  it("BR8 keeps the tokens of an account, and replaces only those that it still has", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { oauthTokens } = store;
    await oauthTokens.save(ownerId, "google", tokens("one"));
    expect(await oauthTokens.load(ownerId, "google")).toEqual(tokens("one"));
    expect(await oauthTokens.load(other, "google")).toBeUndefined();
    expect(await oauthTokens.load(ownerId, "slack")).toBeUndefined();
    expect(await oauthTokens.replace(ownerId, "google", "one", tokens("two"))).toBe(true);
    expect(await oauthTokens.replace(ownerId, "google", "one", tokens("three"))).toBe(false);
    expect(await oauthTokens.load(ownerId, "google")).toEqual(tokens("two"));
    await oauthTokens.remove(other, "google");
    await oauthTokens.remove(ownerId, "google");
    await oauthTokens.remove(ownerId, "google");
    expect(await oauthTokens.load(ownerId, "google")).toBeUndefined();
    expect(await store.audit.list(ownerId, { what: "connection" })).toMatchObject([
      { what: "connection.disconnected", details: { provider: "google" } },
      { what: "connection.connected", details: { account: "eva@example.com", scopes: ["mail"] } },
    ]);
  });

  it("BR8 keeps one model key per provider, and uses the newest", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { modelKeys } = store;
    const put = (provider: "openai" | "gemini", sealedKey: string) =>
      modelKeys.put(ownerId, { provider, sealedKey, hint: "wxyz", model: null });
    await put("openai", "one");
    await put("gemini", "two");
    await put("openai", "three");
    expect(await modelKeys.latest(ownerId)).toEqual({
      provider: "openai",
      sealedKey: "three",
      hint: "wxyz",
      model: null,
    });
    expect((await modelKeys.list(ownerId)).map(({ provider }) => provider)).toEqual([
      "openai",
      "gemini",
    ]);
    expect(await modelKeys.latest(other)).toBeUndefined();
    await expect(modelKeys.remove(other, "openai")).rejects.toMatchObject({ code: "not_found" });
    await modelKeys.remove(ownerId, "openai");
    expect(await modelKeys.latest(ownerId)).toMatchObject({ provider: "gemini" });
    expect(await store.audit.list(ownerId, { what: "model_key" })).toHaveLength(4);
  });

  it("X3 remembers the first names of the people whom an owner has written to", async () => {
    const ownerId = freshOwner();
    const { contacts } = store;
    // An account, and so its owner, exists before its contacts.
    await store.oauthTokens.save(ownerId, "google", tokens("one"));
    await contacts.remember(ownerId, "google", [
      { address: "eva@example.com", names: ["Eva"] },
      { address: "tom@example.com", names: [] },
    ]);
    await contacts.remember(ownerId, "google", [
      { address: "eva@example.com", names: ["Mallory"] },
    ]);
    expect(await contacts.find(ownerId, "google", ["eva@example.com", "x@example.com"])).toEqual([
      { address: "eva@example.com", names: ["Eva"] },
    ]);
    expect(await contacts.find(ownerId, "slack", ["eva@example.com"])).toEqual([]);
    expect(await contacts.find(freshOwner(), "google", ["eva@example.com"])).toEqual([]);
  });
}
