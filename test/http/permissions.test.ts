// Changes an owner's permissions through the client, with a real server and database.
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { type Client, createClient, httpTransport } from "@bron/client";
import { effectGroups, type NewGrant, type NewRule } from "@bron/protocol";
import { createServer, type BronServer } from "@bron/server";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

describe("permissions over HTTP", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let client: Client;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key of the permission test, long",
      model: {
        model: scriptedLanguageModel(() => ({ text: "Hi." })),
        name: "scripted",
        maxOutputTokens: 100,
      },
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
    const response = await fetch(server.signInLink(), { redirect: "manual" });
    const cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    client = createClient({
      transport: httpTransport({
        url: server.url,
        fetch: (url, init) =>
          fetch(url, { ...init, headers: [...new Headers(init.headers), ["cookie", cookie]] }),
      }),
    });
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });

  const putRule = (body: NewRule) => client.call("POST /api/permissions/rules", { body });
  const allow = (value: string) =>
    client.call("POST /api/permissions/allowed", { body: { value } });
  const grant = (body: NewGrant) => client.call("POST /api/permissions/grants", { body });
  const remove = (kind: "rules" | "allowed" | "grants", id: string) =>
    client.call(`POST /api/permissions/${kind}/:id/remove`, { params: { id } });

  it("RT10 starts as supervised, without rules or grants", async () => {
    expect(await client.call("GET /api/permissions")).toEqual({
      trustLevel: "supervised",
      rules: [],
      allowed: [],
      grants: [],
      effects: effectGroups.map((kind) => ({ kind, undoSeconds: null, approvalsPerMinute: null })),
      defaultUndoSeconds: 0,
    });
  });

  it("RT10 adds and removes the trust level, rules, trusted contacts and grants", async () => {
    expect(
      (await client.call("POST /api/permissions/trust", { body: { level: "delegated" } }))
        .trustLevel,
    ).toBe("delegated");
    await putRule({ tool: "gmail_send", verdict: "ask" });
    // There is one rule for each tool, so the second one replaces the first.
    const { rules } = await putRule({ tool: "gmail_send", verdict: "deny" });
    expect(rules).toMatchObject([{ tool: "gmail_send", verdict: "deny", bronId: null }]);
    await allow("Eva@Example.COM");
    const { allowed } = await allow("@müller.example");
    expect(allowed).toMatchObject([
      { kind: "person", value: "eva@example.com" },
      { kind: "domain", value: "xn--mller-kva.example" },
    ]);
    const { grants } = await grant({
      tool: "gmail_send",
      recipient: "eva@example.com",
    });
    expect(grants).toMatchObject([
      { tool: "gmail_send", recipient: "eva@example.com", uses: 0, revokedAt: null },
    ]);
    expect((Date.parse(grants[0]?.expiresAt ?? "") - Date.now()) / 86_400_000).toBeCloseTo(7, 1);
    const scoped = await putRule({ tool: "web_fetch", verdict: "deny", host: "*.Müller.example" });
    expect(scoped.rules).toMatchObject([
      { tool: "gmail_send", host: null, server: null },
      { tool: "web_fetch", host: "*.xn--mller-kva.example", server: null },
    ]);
    const granted = await grant({ tool: "*", server: "github" });
    expect(granted.grants[0]).toMatchObject({ tool: "*", recipient: null, server: "github" });
    for (const [kind, list] of Object.entries({
      rules: scoped.rules,
      allowed,
      grants: granted.grants,
    }))
      for (const { id } of list) await remove(kind as "rules" | "allowed" | "grants", id);
    const after = await client.call("GET /api/permissions");
    expect({
      rules: after.rules,
      allowed: after.allowed,
      revoked: after.grants.every(({ revokedAt }) => revokedAt !== null),
    }).toEqual({ rules: [], allowed: [], revoked: true });
  });

  it("RT13 refuses an invalid rule, an invalid address and an unknown id with a readable error", async () => {
    const wrong: [() => Promise<unknown>, string][] = [
      [
        () =>
          client.call("POST /api/permissions/effects", {
            body: { kind: "mail", undoSeconds: 61, approvalsPerMinute: null },
          }),
        "invalid_input",
      ],
      [
        () =>
          client.call("POST /api/permissions/effects", {
            body: { kind: "mail", undoSeconds: null, approvalsPerMinute: 0 },
          }),
        "invalid_input",
      ],
      [() => putRule({ tool: "bad name", verdict: "ask" }), "invalid_input"],
      [() => putRule({ tool: "web_fetch", verdict: "allow", host: "*.com" }), "invalid_input"],
      [() => putRule({ tool: "*", verdict: "allow", server: "git hub" }), "invalid_input"],
      [() => grant({ tool: "gmail_send" }), "invalid_input"],
      [() => grant({ tool: "*", host: "a.example" }), "invalid_input"],
      [() => allow("everybody"), "invalid_input"],
      [() => grant({ tool: "gmail_send", recipient: "example.com" }), "invalid_input"],
      [() => grant({ tool: "gmail_send", recipient: "a@b.example, c@d.example" }), "invalid_input"],
      [
        () =>
          putRule({
            tool: "gmail_send",
            verdict: "ask",
            bronId: "3f9a1c20-1111-4222-8333-444455556666",
          }),
        "not_found",
      ],
      [() => remove("rules", "3f9a1c20-1111-4222-8333-444455556666"), "not_found"],
    ];
    for (const [asked, code] of wrong) await expect(asked()).rejects.toMatchObject({ code });
  });
});
