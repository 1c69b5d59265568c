import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

export function testPermissions({ store }: StoreHarness): void {
  const defaultBron = async (ownerId: string) => (await store.brons.list(ownerId))[0]!.id;
  const nova = { name: "Nova", systemPrompt: "", trustLevel: "supervised" as const };

  it("X3 has one rule per tool and Bron, and a new rule replaces it", async () => {
    const ownerId = freshOwner();
    const bronId = await defaultBron(ownerId);
    const other = await store.brons.create(ownerId, nova);
    const { permissions } = store;
    const rule = await permissions.putRule(ownerId, { bronId: null, tool: "post", verdict: "ask" });
    const again = await permissions.putRule(ownerId, {
      bronId: null,
      tool: "post",
      verdict: "deny",
    });
    expect(again).toEqual({ ...rule, verdict: "deny" });
    await permissions.putRule(ownerId, { bronId: other, tool: "post", verdict: "allow" });
    expect((await permissions.rules({ ownerId, bronId })).rules).toEqual([
      { tool: "post", verdict: "deny", ofBron: false },
    ]);
    expect((await permissions.rules({ ownerId, bronId: other })).rules).toEqual(
      expect.arrayContaining([
        { tool: "post", verdict: "deny", ofBron: false },
        { tool: "post", verdict: "allow", ofBron: true },
      ]),
    );
    await permissions.removeRule(ownerId, rule.id);
    expect(await permissions.listRules(ownerId)).toMatchObject([{ bronId: other }]);
  });

  it("X3 has trusted contacts and a trust level for each Bron", async () => {
    const ownerId = freshOwner();
    const bronId = await defaultBron(ownerId);
    const { permissions } = store;
    const person = await permissions.allow(ownerId, " Eva@Example.com ");
    expect(await permissions.allow(ownerId, "eva@example.com")).toEqual(person);
    await permissions.allow(ownerId, "@example.org");
    await permissions.setTrustLevel(ownerId, null, "autonomous");
    const rules = await permissions.rules({ ownerId, bronId });
    expect(rules).toEqual({
      trustLevel: "autonomous",
      rules: [],
      people: new Set(["eva@example.com"]),
      domains: new Set(["example.org"]),
      grants: [],
    });
    await permissions.disallow(ownerId, person.id);
    expect(await permissions.view(ownerId)).toMatchObject({
      trustLevel: "autonomous",
      allowed: [{ kind: "domain", value: "example.org" }],
    });
    await expect(permissions.allow(ownerId, "everybody")).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("X3 has grants that expire, are counted and can be revoked once", async () => {
    const ownerId = freshOwner();
    const bronId = await defaultBron(ownerId);
    const { permissions } = store;
    const grantFor = (recipient: string, days: number) =>
      permissions.grant(ownerId, { bronId: null, tool: "post", recipient, days });
    await grantFor("old@example.com", 0);
    const grant = await grantFor("Eva@example.com", 1);
    const active = async () => (await permissions.rules({ ownerId, bronId })).grants;
    expect(await active()).toEqual([{ id: grant.id, tool: "post", recipient: "eva@example.com" }]);
    await permissions.countUses(ownerId, [grant.id]);
    await permissions.countUses(freshOwner(), [grant.id]);
    expect(await permissions.listGrants(ownerId)).toMatchObject([
      { id: grant.id, uses: 1, revokedAt: null },
      { recipient: "old@example.com" },
    ]);
    await permissions.revoke(ownerId, grant.id);
    expect(await active()).toEqual([]);
    await expect(permissions.revoke(ownerId, grant.id)).rejects.toMatchObject({
      code: "not_found",
    });
    await expect(grantFor("example.com", 1)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("BR8 RT12 records each change in the audit log, and hides it from another owner", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { permissions } = store;
    const { id } = await permissions.putRule(ownerId, {
      bronId: null,
      tool: "post",
      verdict: "ask",
    });
    const entry = await permissions.allow(ownerId, "eva@example.com");
    const bronId = await defaultBron(ownerId);
    for (const change of [
      () => permissions.removeRule(other, id),
      () => permissions.disallow(other, entry.id),
      () => permissions.revoke(other, randomUUID()),
      () => permissions.rules({ ownerId: other, bronId }),
      () => permissions.setTrustLevel(other, bronId, "autonomous"),
      () => permissions.putRule(other, { bronId, tool: "post", verdict: "allow" }),
    ])
      await expect(change()).rejects.toMatchObject({ code: "not_found" });
    expect(await store.audit.list(other, {})).toEqual([]);
    expect(await store.audit.list(ownerId, {})).toMatchObject([
      { what: "allowed.added", by: "owner", details: { value: "eva@example.com" } },
      { what: "rule.changed", by: "owner", tool: "post", details: { id, verdict: "ask" } },
    ]);
  });
}
