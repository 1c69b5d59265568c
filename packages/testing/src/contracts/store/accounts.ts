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
      modelKeys.put(ownerId, { provider, sealedKey, hint: "wxyz", model: null, state: "tested" });
    await put("openai", "one");
    await put("gemini", "two");
    await put("openai", "three");
    expect(await modelKeys.latest(ownerId)).toEqual({
      provider: "openai",
      sealedKey: "three",
      hint: "wxyz",
      model: null,
      state: "tested",
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

  it("BR8 uses no model key that could not be tested until it is accepted", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { modelKeys } = store;
    const key = { sealedKey: "one", hint: "wxyz", model: null };
    await modelKeys.put(ownerId, { ...key, provider: "openai", state: "tested" });
    await modelKeys.put(ownerId, { ...key, provider: "gemini", state: "untested" });
    expect(await modelKeys.latest(ownerId)).toMatchObject({ provider: "openai" });
    expect(await modelKeys.get(ownerId, "gemini")).toEqual({
      ...key,
      provider: "gemini",
      state: "untested",
    });
    expect(await modelKeys.get(other, "gemini")).toBeUndefined();
    expect((await modelKeys.list(ownerId)).map(({ state }) => state)).toEqual([
      "untested",
      "tested",
    ]);
    await expect(modelKeys.setState(other, "gemini", "accepted")).rejects.toMatchObject({
      code: "not_found",
    });
    await modelKeys.setState(ownerId, "gemini", "accepted");
    expect(await modelKeys.latest(ownerId)).toMatchObject({
      provider: "gemini",
      state: "accepted",
    });
    await modelKeys.setState(ownerId, "openai", "tested");
    expect(await modelKeys.latest(ownerId)).toMatchObject({ provider: "openai" });
    expect(
      (await store.audit.list(ownerId, { what: "model_key" })).map(({ what }) => what),
    ).toEqual(["model_key.accepted", "model_key.set", "model_key.set"]);
  });

  it("BR8 keeps one OAuth app per provider, and records who changed it without its secret", async () => {
    const ownerId = freshOwner();
    const { oauthClients } = store;
    // The table is for all owners, so each test has a provider of its own.
    const provider = `provider-of-${ownerId}`;
    expect(await oauthClients.get(provider)).toBeUndefined();
    await oauthClients.put(ownerId, { provider, clientId: "one", sealedSecret: "sealed-1" });
    await oauthClients.put(ownerId, { provider, clientId: "two", sealedSecret: "sealed-2" });
    expect(await oauthClients.get(provider)).toEqual({
      provider,
      clientId: "two",
      sealedSecret: "sealed-2",
      updatedAt: expect.stringMatching(/Z$/),
    });
    await oauthClients.remove(ownerId, provider);
    await expect(oauthClients.remove(ownerId, provider)).rejects.toMatchObject({
      code: "not_found",
    });
    const rows = await store.audit.list(ownerId, { what: "oauth_client" });
    expect(rows).toMatchObject([
      { what: "oauth_client.removed", details: { provider, clientId: "two" } },
      { what: "oauth_client.set", details: { provider, clientId: "two" } },
      { what: "oauth_client.set", details: { provider, clientId: "one" } },
    ]);
    expect(JSON.stringify(rows)).not.toContain("sealed");
  });

  it("BR28 keeps what a server offers, and what its owner accepted of exactly that", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { mcpPins } = store;
    const definition = (description: string) => ({
      name: "lookup",
      title: null,
      description,
      inputSchema: { type: "object" },
      hints: { readOnlyHint: true },
    });
    const pin = {
      server: "small",
      source: "one",
      offered: [definition("Looks up.")],
      offeredDigest: "d1",
      notes: [],
    };
    await mcpPins.offer(ownerId, pin);
    expect(await mcpPins.get(ownerId, "small")).toEqual({ ...pin, accepted: [] });
    expect(await mcpPins.get(other, "small")).toBeUndefined();
    const accept = (source: string, offeredDigest: string, owner = ownerId) =>
      mcpPins.accept(owner, { server: "small", source, offeredDigest });
    const wrong = [
      ["one", "d2"],
      ["two", "d1"],
      ["one", "d1", other],
    ] as const;
    for (const [source, digest, owner] of wrong)
      await expect(accept(source, digest, owner)).rejects.toMatchObject({ code: "conflict" });
    await accept("one", "d1");
    const changed = { ...pin, offered: [definition("Sends.")], offeredDigest: "d2" };
    await mcpPins.offer(ownerId, changed);
    expect(await mcpPins.list(ownerId)).toEqual([{ ...changed, accepted: pin.offered }]);
    expect(await mcpPins.list(other)).toEqual([]);
    // Another program under the same name.
    await mcpPins.offer(ownerId, { ...pin, source: "two" });
    expect(await mcpPins.get(ownerId, "small")).toMatchObject({ accepted: [] });
    expect(await mcpPins.remove(other, "small")).toBe(false);
    expect(await mcpPins.remove(ownerId, "small")).toBe(true);
    expect(await store.audit.list(ownerId, { what: "mcp_server" })).toMatchObject([
      { what: "mcp_server.accepted", digest: "d1", details: { server: "small", tools: 1 } },
    ]);
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
