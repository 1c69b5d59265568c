import type { ApiTokens } from "@bron/core";
import { migrate, openDatabase, postgresApiTokens, type OpenDatabase } from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { createTokens, type TokenService } from "./tokens.ts";

const notFound = expect.objectContaining({ code: "not_found" });

describe("API tokens", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let tokens: TokenService;
  let stored: ApiTokens;
  let elsewhere: { open: OpenDatabase; tokens: TokenService };
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url });
    await migrate(open.db);
    stored = postgresApiTokens(open.pool);
    tokens = createTokens(stored);
    const other = await openDatabase({ url: database.url });
    elsewhere = { open: other, tokens: createTokens(postgresApiTokens(other.pool)) };
  });
  afterAll(async () => {
    await open.close();
    await elsewhere.open.close();
    await database.drop();
  });
  const change = (id: string, what: string) =>
    open.pool.query(`update api_tokens set ${what} where id = $1`, [id]);
  const usedAt = async (owner: string) => (await stored.list(owner))[0]?.lastUsedAt;

  it("RT2 identify their owner and scopes in every process", async () => {
    const { token, view } = await tokens.create("eva", {
      name: "  script  ",
      scopes: ["run", "read", "run"],
    });
    expect(token).toMatch(/^bron_[\w-]{43}$/);
    expect(view).toEqual({
      id: expect.any(String),
      name: "script",
      scopes: ["read", "run"],
      hint: token.slice(-4),
      madeBy: null,
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: null,
      expiresAt: null,
    });
    for (const each of [tokens, elsewhere.tokens])
      expect(await each.find(token)).toEqual({
        id: view.id,
        ownerId: "eva",
        name: "script",
        scopes: ["read", "run"],
      });
    for (const wrong of [
      "",
      token.slice(0, -1),
      `${token}x`,
      token.slice("bron_".length),
      `bron_${"A".repeat(43)}`,
    ])
      expect(await tokens.find(wrong)).toBeUndefined();
    expect(await stored.list("somebody")).toEqual([]);
  });

  it("RT2 have only the read scope by default", async () => {
    expect((await tokens.create("reader", { name: "reader" })).view.scopes).toEqual(["read"]);
  });

  it("RT2 can't be derived from the content of the database", async () => {
    const { token } = await tokens.create("stolen", { name: "script" });
    const { rows } = await open.pool.query<Record<string, unknown>>(
      "select * from api_tokens where owner_id = 'stolen'",
    );
    expect(JSON.stringify(rows)).not.toContain(token.slice("bron_".length, -4));
    for (const value of Object.values(rows[0]!))
      for (const text of [String(value), `bron_${String(value)}`])
        expect(await tokens.find(text)).toBeUndefined();
  });

  it("RT2 stop working at once in every process when their owner revokes them", async () => {
    const { token, view } = await tokens.create("paul", { name: "script" });
    await elsewhere.tokens.find(token);
    for (const [owner, id] of [
      ["mallory", view.id],
      ["paul", "no-uuid"],
    ] as const)
      await expect(stored.revoke(owner, id)).rejects.toEqual(notFound);
    expect(await tokens.find(token)).toBeDefined();
    await stored.revoke("paul", view.id);
    for (const each of [tokens, elsewhere.tokens]) expect(await each.find(token)).toBeUndefined();
    expect(await stored.list("paul")).toEqual([]);
    await expect(stored.revoke("paul", view.id)).rejects.toEqual(notFound);
  });

  it("RT2 stop working when they expire", async () => {
    const { token, view } = await tokens.create("late", { name: "script", days: 7 });
    expect(Date.parse(view.expiresAt!) - Date.parse(view.createdAt)).toBeCloseTo(
      7 * 86_400_000,
      -3,
    );
    expect(await tokens.find(token)).toBeDefined();
    await change(view.id, "expires_at = clock_timestamp()");
    expect(await tokens.find(token)).toBeUndefined();
    expect(await stored.list("late")).toEqual([]);
    await expect(stored.revoke("late", view.id)).rejects.toEqual(notFound);
  });

  it("RT2 record when they were last used, at most once a minute", async () => {
    const { token, view } = await tokens.create("used", { name: "script" });
    await tokens.find(token);
    const first = await usedAt("used");
    expect(first).toMatch(/Z$/);
    await tokens.find(token);
    expect(await usedAt("used")).toBe(first);
    await change(view.id, "last_used_at = clock_timestamp() - interval '61 seconds'");
    await tokens.find(token);
    expect(Date.parse((await usedAt("used"))!)).toBeGreaterThanOrEqual(Date.parse(first!));
  });

  it("RT2 are limited to a hundred per owner, even if created concurrently, not counting expired ones", async () => {
    const make = () =>
      tokens.create("many", { name: "one of many" }).then(
        () => "made",
        (error: { code?: string }) => error.code,
      );
    const made = await Promise.all(Array.from({ length: 110 }, make));
    expect(made.filter((result) => result === "made")).toHaveLength(100);
    expect(made.filter((result) => result === "conflict")).toHaveLength(10);
    await change((await stored.list("many"))[0]!.id, "expires_at = clock_timestamp()");
    expect(await Promise.all([make(), make()])).toEqual(
      expect.arrayContaining(["made", "conflict"]),
    );
  });

  it("RT2 are rejected without a name, with an unknown scope, or for more than a year", async () => {
    for (const bad of [
      { name: " " },
      { name: "x", scopes: [] },
      { name: "x", scopes: ["all"] },
      { name: "x", days: 0 },
      { name: "x", days: 400 },
    ]) {
      await expect(tokens.create("eva", bad as never)).rejects.toMatchObject({
        code: "invalid_input",
      });
    }
  });

  it("RT2 that a token creates expire no later than it", async () => {
    const maker = (await tokens.create("family", { name: "maker", scopes: ["manage"], days: 2 }))
      .view;
    const make = (days?: number) =>
      tokens.create("family", { name: "made", days }, { madeBy: maker.id });
    expect((await make()).view).toMatchObject({ madeBy: maker.id, expiresAt: maker.expiresAt });
    const shorter = (await make(1)).view;
    expect(Date.parse(shorter.expiresAt!)).toBeLessThan(Date.parse(maker.expiresAt!));
    await expect(make(3)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining(maker.expiresAt!),
    });
    const lasting = (await tokens.create("family", { name: "lasting", scopes: ["manage"] })).view;
    expect(
      (await tokens.create("family", { name: "made", days: 300 }, { madeBy: lasting.id })).view
        .expiresAt,
    ).not.toBeNull();
    expect(
      (await tokens.create("family", { name: "made" }, { madeBy: lasting.id })).view.expiresAt,
    ).toBeNull();
  });

  it("RT2 are revoked with the token that created them, at any depth, and recorded in the audit log", async () => {
    const [first, stays] = [
      await tokens.create("tree", { name: "first", scopes: ["manage"] }),
      await tokens.create("tree", { name: "stays" }),
    ];
    const second = await tokens.create("tree", { name: "second" }, { madeBy: first.view.id });
    const third = await tokens.create("tree", { name: "third" }, { madeBy: second.view.id });
    expect((await stored.revoke("tree", first.view.id)).toSorted()).toEqual(
      [first, second, third].map(({ view }) => view.id).toSorted(),
    );
    for (const { token } of [first, second, third])
      expect(await elsewhere.tokens.find(token)).toBeUndefined();
    expect(await tokens.find(stays.token)).toBeDefined();
    await expect(
      tokens.create("tree", { name: "late" }, { madeBy: second.view.id }),
    ).rejects.toMatchObject({ code: "unauthenticated" });
    const { rows } = await open.pool.query<{ name: string }>(
      "select details ->> 'name' as name from audit where owner_id = 'tree' and what = 'token.revoked'",
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(["first", "second", "third"]);
  });

  it("RT2 don't survive if their creator is revoked while it creates them", async () => {
    for (let round = 0; round < 10; round++) {
      const maker = await tokens.create("race", { name: "maker", scopes: ["manage"] });
      const made = Promise.allSettled(
        Array.from({ length: 6 }, (_, at) =>
          (at % 2 ? tokens : elsewhere.tokens).create(
            "race",
            { name: "made" },
            { madeBy: maker.view.id },
          ),
        ),
      );
      await postgresApiTokens(elsewhere.open.pool).revoke("race", maker.view.id);
      await made;
      expect(await stored.list("race")).toEqual([]);
    }
  });

  it("BR25 are recorded in the audit log with name and scopes and without the token", async () => {
    const { token, view } = await tokens.create("audited", {
      name: "script",
      scopes: ["read", "approve"],
    });
    await stored.revoke("audited", view.id);
    const { rows } = await open.pool.query<{ what: string; by: string; details: unknown }>(
      "select what, by, details from audit where owner_id = 'audited' order by id desc",
    );
    const details = { tokenId: view.id, name: "script", scopes: ["read", "approve"] };
    expect(rows).toEqual([
      { what: "token.revoked", by: "owner", details },
      { what: "token.created", by: "owner", details },
    ]);
    expect(JSON.stringify(rows)).not.toContain(token.slice(-8));
  });
});
