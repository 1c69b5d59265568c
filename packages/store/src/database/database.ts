import { BronError, cleanJsonText, messageOf } from "@bron/core";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { toDatabaseError } from "./database-errors.ts";
import type { Database } from "./schema.ts";

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
}

export interface OpenDatabase {
  readonly pool: pg.Pool;
  /** One connection for renewing leases. */
  readonly heartbeats: pg.Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

const int8 = 20;

/** bigint columns hold money and sizes, which are all below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8
      ? Number
      : format === "binary"
        ? pg.types.getTypeParser(oid, format)
        : pg.types.getTypeParser(oid, format),
};

/** Connects, or throws an error that explains why it could not. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  checkUrl(options.url);
  const pool = createPool(options, { max: options.poolSize ?? 10, queryMs: statementMs + 3_000 });
  const heartbeats = createPool(
    { ...options, applicationName: "bron-beats" },
    { max: 1, queryMs: heartbeatMs },
  );
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await pool.query("select 1");
  } catch (error) {
    await Promise.all([pool.end(), heartbeats.end()]);
    throw connectionError(error, options.url);
  }
  const close = async () => {
    await Promise.all([db.destroy(), heartbeats.end()]);
  };
  return { pool, heartbeats, db, close };
}

function createPool(
  options: DatabaseOptions,
  limits: { readonly max: number; readonly queryMs: number },
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: limits.max,
    types,
    application_name: options.applicationName ?? "bron",
    connectionTimeoutMillis: 5_000,
    // Timeouts on both sides: a statement that outlives every lease is useless, and a connection
    // may die silently.
    statement_timeout: statementMs,
    query_timeout: limits.queryMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
  });
  // A broken connection fails its query, or is replaced at its next use. Without listeners it would
  // crash the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

const statementMs = 12_000;
/** Heartbeats must not wait for other queries or for a dead connection. */
const heartbeatMs = 2_000;

function checkUrl(url: string): void {
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol))
    throw new BronError("config_invalid", "DATABASE_URL is not a postgres:// URL.");
}

function connectionError(error: unknown, url: string): BronError {
  const where = describe(url);
  const code = (error as { code?: string }).code ?? "";
  if (code.startsWith("28") || code === "3D000" || code === "42501") {
    return new BronError(
      "database_refused",
      `Postgres at ${where} refused the connection: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  if (BronError.is(toDatabaseError(error), "database_busy"))
    return new BronError(
      "database_busy",
      `Postgres at ${where} has too many connections: ${messageOf(error)}`,
      { cause: error },
    );
  const aggregate =
    error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : messageOf(error);
  return new BronError(
    "database_unreachable",
    `Postgres at ${where} is not responding: ${aggregate || code}`,
    { cause: error },
  );
}

/** The URL without its password. */
function describe(url: string): string {
  try {
    const { hostname, port, pathname, searchParams } = new URL(url);
    return `${searchParams.get("host") ?? (hostname || "localhost")}${port ? `:${port}` : ""}${pathname}`;
  } catch {
    return "DATABASE_URL";
  }
}

export interface Transaction {
  /** For typed queries. */
  readonly db: Kysely<Database>;
  /** For libraries that need the connection to take part in this transaction. */
  readonly client: pg.PoolClient;
}

/** Runs one transaction on one connection, usable through Kysely and as a plain client. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query("begin");
    const result = await work({ db: onClient(client), client });
    await client.query("commit");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

function onClient(client: pg.PoolClient): Kysely<Database> {
  const connection = { query: client.query.bind(client), release: () => undefined };
  const pool = {
    connect: () => Promise.resolve(connection),
    end: () => Promise.resolve(),
    options: {},
  };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** Serializes a value for a jsonb column and removes characters that Postgres rejects. */
export function toJson(value: unknown): string {
  return cleanJsonText(JSON.stringify(value));
}
