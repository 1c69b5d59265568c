import { effectGroups } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { freshOwner, type StoreHarness } from "./store-harness.ts";

export function testPermissions({ store }: StoreHarness): void {
  const defaultBron = async (ownerId: string) => (await store.brons.list(ownerId))[0]!.id;
  const anywhere = { host: null, server: null };
  const nova = {
    name: "Nova",
    systemPrompt: "",
    personaSource: "typed" as const,
    trustLevel: "supervised" as const,
  };

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
      { ...anywhere, tool: "post", verdict: "deny", ofBron: false },
    ]);
    expect((await permissions.rules({ ownerId, bronId: other })).rules).toEqual(
      expect.arrayContaining([
        { ...anywhere, tool: "post", verdict: "deny", ofBron: false },
        { ...anywhere, tool: "post", verdict: "allow", ofBron: true },
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
    const named = await permissions.allow(ownerId, "The client <John@Example.net>");
    expect(named).toMatchObject({ kind: "person", value: "john@example.net", name: "The client" });
    // An entry without a name keeps the earlier one.
    expect(await permissions.allow(ownerId, "john@example.net")).toEqual(named);
    await permissions.setTrustLevel(ownerId, null, "autonomous");
    const rules = await permissions.rules({ ownerId, bronId });
    expect(rules).toEqual({
      trustLevel: "autonomous",
      rules: [],
      people: new Set(["eva@example.com", "john@example.net"]),
      contactNames: new Map([["john@example.net", "The client"]]),
      domains: new Set(["example.org"]),
      grants: [],
    });
    await permissions.disallow(ownerId, named.id);
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
    expect(await active()).toEqual([
      {
        ...anywhere,
        id: grant.id,
        tool: "post",
        recipient: "eva@example.com",
        includesPrivate: false,
      },
    ]);
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

  it("X3 has one rule for each host and server, in one spelling", async () => {
    const ownerId = freshOwner();
    const bronId = await defaultBron(ownerId);
    const { permissions } = store;
    const put = (more: object) =>
      permissions.putRule(ownerId, { bronId: null, tool: "fetch", verdict: "ask", ...more });
    const general = await put({});
    const star = await put({ host: "*.Müller.example." });
    expect(star).toMatchObject({ host: "*.xn--mller-kva.example", server: null });
    expect(await put({ host: "*.xn--mller-kva.example", verdict: "deny" })).toEqual({
      ...star,
      verdict: "deny",
    });
    const server = await put({ server: "github", verdict: "allow" });
    const both = await put({ server: "github", host: "a.example" });
    const ids = new Set([general, star, server, both].map(({ id }) => id));
    expect(ids.size).toBe(4);
    expect((await permissions.rules({ ownerId, bronId })).rules).toEqual(
      expect.arrayContaining([
        { ...anywhere, tool: "fetch", verdict: "ask", ofBron: false },
        {
          tool: "fetch",
          host: "*.xn--mller-kva.example",
          server: null,
          verdict: "deny",
          ofBron: false,
        },
        { tool: "fetch", host: null, server: "github", verdict: "allow", ofBron: false },
        { tool: "fetch", host: "a.example", server: "github", verdict: "ask", ofBron: false },
      ]),
    );
    for (const host of ["*.com", "https://a.example", "a.example:80", "*.10.0.0.1"])
      await expect(put({ host })).rejects.toMatchObject({ code: "invalid_input" });
    expect(await permissions.listRules(ownerId)).toHaveLength(4);
  });

  it("X3 has grants for a host or a server, and for exactly one target", async () => {
    const ownerId = freshOwner();
    const bronId = await defaultBron(ownerId);
    const { permissions } = store;
    const grant = (more: object) =>
      permissions.grant(ownerId, { bronId: null, tool: "fetch", days: 1, ...more });
    const host = await grant({ host: "*.Example.com", includesPrivate: true });
    const server = await grant({ tool: "*", server: "github" });
    expect((await permissions.rules({ ownerId, bronId })).grants).toEqual(
      expect.arrayContaining([
        {
          id: host.id,
          tool: "fetch",
          recipient: null,
          includesPrivate: true,
          host: "*.example.com",
          server: null,
        },
        {
          id: server.id,
          includesPrivate: false,
          tool: "*",
          recipient: null,
          host: null,
          server: "github",
        },
      ]),
    );
    for (const more of [
      {},
      { host: "*.com" },
      { host: "a.example", server: "github" },
      { host: "a.example", recipient: "eva@a.example" },
      { tool: "*", host: "a.example" },
    ])
      await expect(grant(more)).rejects.toMatchObject({ code: "invalid_input" });
  });

  it("X1 has an undo delay and an approval rate for each kind of effect, and null for the default", async () => {
    const [ownerId, other] = [freshOwner(), freshOwner()];
    const { permissions } = store;
    const settings = async (owner: string) => (await permissions.view(owner)).effects;
    const unset = effectGroups.map((kind) => ({
      kind,
      undoSeconds: null,
      approvalsPerMinute: null,
    }));
    expect(await settings(ownerId)).toEqual(unset);
    await permissions.setEffect(ownerId, { kind: "mail", undoSeconds: 30, approvalsPerMinute: 2 });
    const changed = { kind: "mail", undoSeconds: 0, approvalsPerMinute: null } as const;
    await permissions.setEffect(ownerId, changed);
    expect(await settings(ownerId)).toEqual(
      unset.map((one) => (one.kind === "mail" ? changed : one)),
    );
    expect(await settings(other)).toEqual(unset);
    expect((await store.audit.list(ownerId, {}))[0]).toMatchObject({
      what: "effect_setting.changed",
      details: { ...changed },
    });
    for (const approvalId of [randomUUID(), "nothing"])
      expect(await permissions.effectSettingOf(ownerId, approvalId)).toEqual({
        kind: "other",
        undoSeconds: null,
        approvalsPerMinute: null,
      });
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
