import { readFileSync } from "node:fs";
import pg from "pg";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

const schema = new URL(
  "../../packages/store/src/migrations/schema-0019.fixture.sql",
  import.meta.url,
);
const rows = new URL("../homes/schema-0019.jsonl", import.meta.url);

/**
 * Creates the database of a home at schema 0019. The version of Bron of that time wrote its rows
 * with logs of version 5: two tasks, each parked at the approval of one email. They expire in 2126.
 */
export async function createOldDatabase(serverUrl: string): Promise<TestDatabase> {
  const database = await createTestDatabase(serverUrl, { isEmpty: true });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(readFileSync(schema, "utf8"));
    await client.query("create table kysely_migration (name varchar(255), timestamp varchar(255))");
    // The rows are in alphabetical order of their tables, not in the order of references.
    await client.query("set session_replication_role = replica");
    for (const line of readFileSync(rows, "utf8").trimEnd().split("\n")) {
      const { table, row } = JSON.parse(line) as { table: string; row: object };
      const columns = Object.keys(row).join(", ");
      await client.query(
        `insert into ${table} (${columns}) select ${columns} from json_populate_record(null::${table}, $1)`,
        [row],
      );
    }
  } finally {
    await client.end();
  }
  return database;
}
