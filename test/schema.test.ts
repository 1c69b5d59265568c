import { migrate, openDatabase, type OpenDatabase } from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

/** The required tables and columns. The schema may have more. */
const seed: Record<string, string[]> = {
  brons: [
    "id",
    "name",
    "avatar_color",
    "system_prompt",
    "memory_summary",
    "created_at",
    "updated_at",
  ],
  runs: [
    "id",
    "bron_id",
    "parent_run_id",
    "title",
    "prompt",
    "status",
    "approval_token_hash",
    "created_at",
    "started_at",
    "finished_at",
    "error",
  ],
  run_events: ["id", "run_id", "seq", "type", "payload", "created_at"],
  uploads: ["id", "run_id", "filename", "content_type", "blob_url", "size_bytes", "created_at"],
  artifacts: ["id", "run_id", "kind", "blob_url", "data", "created_at"],
  bron_messages: ["id", "bron_id", "thread_id", "run_id", "role", "content", "created_at"],
  oauth_tokens: [
    "id",
    "provider",
    "user_id",
    "access_token",
    "refresh_token",
    "expiry",
    "scopes",
    "created_at",
    "updated_at",
  ],
};

/**
 * Tables without an owner: the owners themselves, facts about the database, rate limits by address,
 * and Kysely's tables.
 */
const ownerless = [
  "owners",
  "instance",
  "used_keys",
  "rate_turns",
  "workers",
  // The OAuth apps are those of the whole server.
  "oauth_clients",
  "kysely_migration",
  "kysely_migration_lock",
];

describe("the schema", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  const columns = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"), { isEmpty: true });
    // Several processes start at once. One migrates and the others wait.
    const all = await Promise.all(
      Array.from({ length: 6 }, () => openDatabase({ url: database.url, poolSize: 2 })),
    );
    await Promise.all(all.map(({ db }) => migrate(db)));
    await Promise.all(all.slice(1).map((one) => one.close()));
    open = all[0]!;
    const { rows } = await open.pool.query<{ table_name: string; column_name: string }>(
      "select table_name, column_name from information_schema.columns where table_schema = 'public'",
    );
    for (const { table_name: table, column_name: column } of rows)
      columns.set(table, [...(columns.get(table) ?? []), column]);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
  });

  it.each(Object.entries(seed))(
    "BR8 has the table %s with at least the seed's columns",
    (table, wanted) => {
      expect(columns.get(table)).toEqual(expect.arrayContaining(wanted));
    },
  );

  it("RT12 names the owner in every table", () => {
    const without = [...columns]
      .filter(([table, names]) => !ownerless.includes(table) && !names.includes("owner_id"))
      .map(([table]) => table);
    expect(without).toEqual([]);
  });

  it("RT12 rejects changes and deletions of audit rows", async () => {
    await open.pool.query(
      "insert into audit (owner_id, what, by, details) values ('owner', 'effect.done', 'bron', '{}')",
    );
    for (const statement of ["update audit set what = 'x'", "delete from audit", "truncate audit"])
      await expect(open.pool.query(statement)).rejects.toThrow("never changed");
  });
});
