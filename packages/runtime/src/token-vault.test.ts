import { sampleCount } from "@bron/testing";
import { createDecipheriv, hkdfSync } from "node:crypto";
import type { Grant } from "@bron/core";
import type { OauthTokens } from "@bron/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTokenVault } from "./token-vault.ts";

type StoredTokens = NonNullable<Awaited<ReturnType<OauthTokens["load"]>>>;

const key = "a secret key of the vault's tests, long enough";
const grant: Grant = {
  account: "eva@x.example",
  accessToken: "ya29.access-of-eva",
  refreshToken: "1//refresh-of-eva",
  expiresAt: 1_800_000_000_000,
  scopes: ["mail"],
};

/** A table in memory whose rows a test can read and change. */
function table() {
  const rows = new Map<string, StoredTokens>();
  const keyOf = (ownerId: string, provider: string) => `${ownerId} ${provider}`;
  const tokens: OauthTokens = {
    load: (ownerId, provider) => Promise.resolve(rows.get(keyOf(ownerId, provider))),
    save: (ownerId, provider, stored) =>
      Promise.resolve(void rows.set(keyOf(ownerId, provider), stored)),
    replace(ownerId, provider, accessToken, stored) {
      const isThere = rows.get(keyOf(ownerId, provider))?.accessToken === accessToken;
      if (isThere) rows.set(keyOf(ownerId, provider), stored);
      return Promise.resolve(isThere);
    },
    remove: (ownerId, provider) => Promise.resolve(void rows.delete(keyOf(ownerId, provider))),
  };
  return {
    rows,
    tokens,
    row: (ownerId: string) => rows.get(keyOf(ownerId, "google")) ?? ({} as StoredTokens),
  };
}

const unreadable = expect.objectContaining({ code: "secret_key_changed" });

describe("tokens at rest", () => {
  it("BR20 survive a round trip for any text, and are never stored in plain text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 8, unit: "binary" }).map((text) => text.toWellFormed()),
        fc.string({ minLength: 8 }),
        async (accessToken, refreshToken) => {
          const { tokens, row } = table();
          const vault = createTokenVault(tokens, key);
          await vault.save("eva", "google", { ...grant, accessToken, refreshToken });
          expect(await vault.load("eva", "google")).toEqual({
            ...grant,
            accessToken,
            refreshToken,
          });
          expect(JSON.stringify(row("eva"))).not.toContain(
            JSON.stringify(accessToken).slice(1, -1),
          );
          expect(JSON.stringify(row("eva"))).not.toContain(
            JSON.stringify(refreshToken).slice(1, -1),
          );
        },
      ),
    );
  });

  it("BR20 are AES-256-GCM with a key derived from the secret, bound to owner, provider and kind", async () => {
    const { tokens, row } = table();
    await createTokenVault(tokens, key).save("eva", "google", grant);
    const open = (sealed: string, context: unknown) => {
      const bytes = Buffer.from(sealed.slice("v1.".length), "base64url");
      const derived = Buffer.from(hkdfSync("sha256", key, "", "bron.oauth-tokens", 32));
      const decipher = createDecipheriv("aes-256-gcm", derived, bytes.subarray(0, 12))
        .setAAD(Buffer.from(JSON.stringify(context)))
        .setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString();
    };
    expect(open(row("eva").accessToken, ["eva", "google", "access"])).toBe(grant.accessToken);
    expect(open(row("eva").refreshToken, ["eva", "google", "refresh"])).toBe(grant.refreshToken);
    expect(() => open(row("eva").accessToken, ["eva", "google", "refresh"])).toThrow();
  });

  it("BR20 are encrypted differently each time, so that equal tokens can't be recognized", async () => {
    const { tokens, row } = table();
    const vault = createTokenVault(tokens, key);
    const seen = new Set<string>();
    for (let time = 0; time < 50; time++) {
      await vault.save("eva", "google", grant);
      seen.add(row("eva").accessToken).add(row("eva").refreshToken);
    }
    expect(seen.size).toBe(100);
  });

  it("BR20 can't be decrypted with another secret", async () => {
    const { tokens } = table();
    await createTokenVault(tokens, key).save("eva", "google", grant);
    await expect(createTokenVault(tokens, `${key}.`).load("eva", "google")).rejects.toEqual(
      unreadable,
    );
  });

  it("BR20 can't be decrypted in another owner's row, or as the other kind", async () => {
    const { rows, tokens, row } = table();
    const vault = createTokenVault(tokens, key);
    await vault.save("eva", "google", grant);
    rows.set("mallory google", row("eva"));
    await expect(vault.load("mallory", "google")).rejects.toEqual(unreadable);
    rows.set("eva slack", row("eva"));
    await expect(vault.load("eva", "slack")).rejects.toEqual(unreadable);
    const { accessToken, refreshToken } = row("eva");
    rows.set("eva google", { ...row("eva"), accessToken: refreshToken, refreshToken: accessToken });
    await expect(vault.load("eva", "google")).rejects.toEqual(unreadable);
  });

  it("BR20 can't be decrypted after a bit changed or if they are truncated", async () => {
    const { rows, tokens, row } = table();
    const vault = createTokenVault(tokens, key);
    await vault.save("eva", "google", grant);
    const kept = row("eva");
    const bytes = Buffer.from(kept.accessToken.slice("v1.".length), "base64url");
    const flipped = fc
      .tuple(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }))
      .map(([at, bit]) => bytes.with(at, (bytes[at] ?? 0) ^ (1 << bit)));
    const cut = fc.nat({ max: bytes.length - 1 }).map((length) => bytes.subarray(0, length));
    await fc.assert(
      fc.asyncProperty(fc.oneof(flipped, cut), async (changed) => {
        rows.set("eva google", {
          ...kept,
          accessToken: `v1.${Buffer.from(changed).toString("base64url")}`,
        });
        await expect(vault.load("eva", "google")).rejects.toEqual(unreadable);
      }),
      { numRuns: sampleCount(500) },
    );
  });
});

describe("a renewed grant", () => {
  it("BR20 replaces only the grant that it renews", async () => {
    const { tokens } = table();
    const vault = createTokenVault(tokens, key);
    const renewed = { ...grant, accessToken: "ya29.newer" };
    expect(await vault.renew("eva", "google", grant, renewed)).toBe(false);
    expect(await vault.load("eva", "google")).toBeUndefined();
    await vault.save("eva", "google", grant);
    expect(await vault.renew("eva", "google", grant, renewed)).toBe(true);
    expect(await vault.load("eva", "google")).toEqual(renewed);
    const other = { ...grant, account: "other@x.example", refreshToken: "1//other" };
    await vault.save("eva", "google", other);
    expect(await vault.renew("eva", "google", grant, renewed)).toBe(false);
    expect(await vault.load("eva", "google")).toEqual(other);
  });
});
