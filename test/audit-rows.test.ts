import {
  openDatabase,
  postgresOauthTokens,
  setUpDatabase,
  createPostgresStore,
  type OpenDatabase,
} from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const noWaker = {
  takesHere: () => false,
  enlist: () => Promise.resolve(),
  committed: () => undefined,
};

describe("rows of the audit log", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url });
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  it("RT12 record accounts that are connected and disconnected, without their tokens", async () => {
    await setUpDatabase({ url: database.url, adminUrl: database.url });
    const tokens = postgresOauthTokens(open);
    await tokens.save("local", "google", {
      account: "me@example.com",
      accessToken: "secret-1",
      refreshToken: "secret-2",
      expiresAt: 0,
      scopes: ["mail"],
    });
    await tokens.replace("local", "google", "secret-1", {
      account: "me@example.com",
      accessToken: "secret-3",
      refreshToken: "secret-2",
      expiresAt: 0,
      scopes: ["mail"],
    });
    await tokens.remove("local", "google");
    await tokens.remove("local", "google");
    const rows = await createPostgresStore(open, noWaker).audit.list("local", {});
    expect(rows.map(({ what, by, details }) => ({ what, by, details }))).toEqual([
      {
        what: "connection.disconnected",
        by: "owner",
        details: { provider: "google", account: "me@example.com" },
      },
      {
        what: "connection.connected",
        by: "owner",
        details: { provider: "google", account: "me@example.com", scopes: ["mail"] },
      },
    ]);
    expect(JSON.stringify(rows)).not.toContain("secret");
  });
});
