import {
  migrate,
  openDatabase,
  postgresOauthTokens,
  postgresPermissions,
  type OpenDatabase,
} from "@bron/store";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

let test: TestDatabase;
let database: OpenDatabase;
beforeAll(async () => {
  test = await createTestDatabase(inject("postgresUrl"));
  database = await openDatabase({ url: test.url });
  await migrate(database.db);
});
afterAll(async () => {
  await database.close();
  await test.drop();
});

it("X3 a grant allows nothing after it has expired by the database's clock", async () => {
  const permissions = postgresPermissions(database);
  const ownerId = `owner-${randomUUID()}`;
  const { id } = await permissions.grant(ownerId, {
    bronId: null,
    tool: "gmail_send",
    recipient: "anna@customer.example",
    days: 1,
  });
  const { rows } = await database.pool.query<{ id: string }>(
    "select id from brons where owner_id = $1",
    [ownerId],
  );
  const grantsNow = async () =>
    (await permissions.rules({ ownerId, bronId: rows[0]?.id ?? "" })).grants.map(
      (grant) => grant.id,
    );
  expect(await grantsNow()).toEqual([id]);
  await database.pool.query("update grants set expires_at = clock_timestamp() where id = $1", [id]);
  expect(await grantsNow()).toEqual([]);
  expect((await permissions.listGrants(ownerId)).map((grant) => grant.id)).toEqual([id]);
});

it("X2 the second of two concurrent renewals of an account changes nothing, and says so", async () => {
  const tokens = postgresOauthTokens(database);
  const ownerId = `owner-${randomUUID()}`;
  const grant = (accessToken: string, account = "mara@lindqvist.example") => ({
    account,
    accessToken,
    refreshToken: `refresh ${accessToken}`,
    expiresAt: 1_800_000_000_000,
    scopes: ["mail"],
  });
  await tokens.save(ownerId, "google", grant("old"));
  // Both read the same row and both ask the provider. Meanwhile another account may have been
  // connected.
  const renewals = await Promise.all([
    tokens.replace(ownerId, "google", "old", grant("one")),
    tokens.replace(ownerId, "google", "old", grant("two")),
  ]);
  expect(renewals.toSorted()).toEqual([false, true]);
  expect(await tokens.load(ownerId, "google")).toMatchObject({
    accessToken: renewals[0] ? "one" : "two",
  });
  await tokens.save(ownerId, "google", grant("connected meanwhile", "other@lindqvist.example"));
  expect(await tokens.replace(ownerId, "google", renewals[0] ? "one" : "two", grant("late"))).toBe(
    false,
  );
  expect(await tokens.load(ownerId, "google")).toMatchObject({
    account: "other@lindqvist.example",
    accessToken: "connected meanwhile",
  });
});
