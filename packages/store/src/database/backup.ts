import { BronError } from "@bron/core";
import type pg from "pg";
import { withBaseline } from "./adopt-baseline.ts";
import type { Blobs } from "../files/blobs.ts";
import { inTransaction } from "./database.ts";

/** One line of a backup. */
export type BackupLine =
  | {
      readonly kind: "header";
      readonly format: "bron-backup-1";
      readonly migrations: readonly string[];
    }
  | { readonly kind: "row"; readonly table: string; readonly row: unknown };

/**
 * Tables in insertion order. Data that is not listed is recreated: leases, partial texts, sessions,
 * rates, open streams, workers and the tables of DBOS.
 */
const tables = [
  "owners",
  "owner_spending",
  "brons",
  "skill_versions",
  "skills",
  "schedules",
  "threads",
  "runs",
  "task_words",
  "run_log",
  "actions",
  "effects",
  "approvals",
  "questions",
  "client_actions",
  "readings",
  "ask_uses",
  "written_things",
  "blobs",
  "artifacts",
  "uploads",
  "bron_messages",
  "oauth_tokens",
  "audit",
  "instance",
  "used_keys",
  "rules",
  "allowed",
  "grants",
  "effect_settings",
  "contacts",
  "api_tokens",
  "model_keys",
  "oauth_clients",
  "mcp_servers",
  "removable_blobs",
];

const pageSize = 500;

/** A row of `blobs` may be as large as all other rows together. */
function rowsAtOnce(table: string): number {
  return table === "blobs" ? 1 : pageSize;
}

/**
 * The order of insertion. Runs are sorted by creation, because each may refer to an earlier one.
 */
function orderOf(table: string): string {
  return table === "runs" ? "created_at, id" : "ctid";
}

/** Exports a consistent snapshot of all data, while other processes keep writing. */
export async function* exportDatabase(
  pool: pg.Pool,
  blobs?: Pick<Blobs, "read">,
): AsyncGenerator<BackupLine> {
  const client = await pool.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    // The consumer may be slow, and so may the store that has the files.
    await client.query("set local idle_in_transaction_session_timeout = '5min'");
    yield { kind: "header", format: "bron-backup-1", migrations: await migrationsOf(client) };
    for (const table of tables) {
      await client.query(
        `declare rows no scroll cursor for select to_jsonb(t) as row from ${table} t order by ${orderOf(table)}`,
      );
      for (;;) {
        const most = rowsAtOnce(table);
        const { rows } = await client.query<{ row: unknown }>(`fetch ${most} from rows`);
        for (const { row } of rows)
          yield {
            kind: "row",
            table,
            row: table === "blobs" ? await withBytes(row as BlobRow, blobs) : row,
          };
        if (rows.length < most) break;
      }
      await client.query("close rows");
    }
    await client.query("commit");
  } finally {
    client.release(true);
  }
}

interface BlobRow {
  readonly owner_id: string;
  readonly digest: string;
  readonly bytes: string | null;
  readonly location: string | null;
}

/**
 * Includes the content of files that are stored elsewhere, so that the backup is complete by
 * itself.
 */
async function withBytes(row: BlobRow, blobs: Pick<Blobs, "read"> | undefined): Promise<BlobRow> {
  if (row.bytes !== null) return row;
  const bytes = await blobs?.read(row.owner_id, row.digest);
  if (!bytes)
    throw new BronError(
      "storage_unreachable",
      `The file ${row.digest} is in an S3 store that can't be read here.`,
      { retryable: false },
    );
  return { ...row, bytes: `\\x${Buffer.from(bytes).toString("hex")}`, location: null };
}

/**
 * Imports into a database that has the schema and no data, completely or not at all. Unfinished
 * runs can be claimed afterwards.
 */
export async function importDatabase(
  pool: pg.Pool,
  lines: AsyncIterable<BackupLine>,
): Promise<number> {
  return await inTransaction(pool, async ({ client }) => {
    await client.query("delete from instance");
    const { rows: found } = await client.query<{ used: boolean }>(
      "select exists (select 1 from owners) or exists (select 1 from runs) as used",
    );
    if (found[0]?.used === true)
      throw new BronError("conflict", "This database is not empty. Restore into a new home.");
    let count = 0;
    let page: { table: string; rows: unknown[] } = { table: "", rows: [] };
    const flush = async () => {
      if (page.rows.length > 0) await insert(client, page.table, page.rows);
      count += page.rows.length;
    };
    let header = false;
    for await (const line of lines) {
      if (line.kind === "header") {
        await checkHeader(client, line);
        header = true;
        continue;
      }
      if (!header || !tables.includes(line.table))
        throw new BronError("invalid_input", "This is not a Bron backup.");
      if (line.table !== page.table || page.rows.length >= rowsAtOnce(line.table)) {
        await flush();
        page = { table: line.table, rows: [] };
      }
      page.rows.push(line.row);
    }
    if (!header) throw new BronError("invalid_input", "This is not a Bron backup.");
    await flush();
    await client.query(
      "update runs set lease_owner = null, lease_until = null, claims = 0, swept_at = null",
    );
    // The backup does not contain which sessions were ended, so every browser must sign in again.
    await client.query("update owners set sessions_after = clock_timestamp()");
    for (const table of ["bron_messages", "audit"])
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), coalesce((select max(id) from ${table}), 0) + 1, false)`,
      );
    return count;
  });
}

async function insert(
  client: pg.ClientBase,
  table: string,
  rows: readonly unknown[],
): Promise<void> {
  await client.query(
    `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
    [JSON.stringify(rows)],
  );
}

async function migrationsOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from kysely_migration order by name",
  );
  return rows.map(({ name }) => name);
}

async function checkHeader(
  client: pg.ClientBase,
  header: Extract<BackupLine, { kind: "header" }>,
): Promise<void> {
  const migrations = await migrationsOf(client);
  if (header.format !== "bron-backup-1")
    throw new BronError("invalid_input", "This version of Bron can't read this backup.");
  // A column that was added later needs a default. Until a migration requires more, only the same
  // schema is accepted.
  const theirs = withBaseline(header.migrations);
  const isSameSchema =
    migrations.length === theirs.length &&
    migrations.every((name, index) => theirs[index] === name);
  if (!isSameSchema)
    throw new BronError(
      "log_too_new",
      `The backup was made by another version of Bron (schema ${header.migrations.at(-1)}, here ${migrations.at(-1)}).`,
    );
}
