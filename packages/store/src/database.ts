import { BronError, messageOf } from "@bron/core";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";

export interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  readonly applicationName?: string;
}

export interface OpenDatabase {
  readonly pool: pg.Pool;
  readonly db: Kysely<Database>;
  close(): Promise<void>;
}

const int8 = 20;

/** bigint columns hold money and sizes, all below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === int8 ? Number : format === "binary" ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, format)),
};

/** Connects, and says in plain words why not. */
export async function openDatabase(options: DatabaseOptions): Promise<OpenDatabase> {
  const pool = createPool(options);
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw connectionError(error, options.url);
  }
  return { pool, db, close: () => db.destroy() };
}

function createPool(options: DatabaseOptions): pg.Pool {
  let pool: pg.Pool;
  try {
    pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize ?? 10,
      types,
      application_name: options.applicationName ?? "bron",
      connectionTimeoutMillis: 5_000,
      // A statement that outlives every lease is of no use to anyone.
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
    });
  } catch (error) {
    throw new BronError("config_invalid", `DATABASE_URL is not a postgres:// address: ${messageOf(error)}`, { cause: error });
  }
  // A connection that breaks fails its query or is replaced at its next use; without listeners it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function connectionError(error: unknown, url: string): BronError {
  const where = describe(url);
  const code = (error as { code?: string }).code ?? "";
  if (code.startsWith("28") || code === "3D000" || code === "42501") {
    return new BronError("database_refused", `Postgres at ${where} refused: ${messageOf(error)}`, { cause: error });
  }
  const aggregate = error instanceof AggregateError ? error.errors.map(messageOf).join(", ") : messageOf(error);
  return new BronError("database_unreachable", `Postgres at ${where} does not answer: ${aggregate || code}`, { cause: error });
}

/** The address without its password. */
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
  /** For what must join this transaction by its connection. */
  readonly client: pg.PoolClient;
}

/** One transaction on one connection, usable through Kysely and as a plain client. */
export async function inTransaction<T>(pool: pg.Pool, work: (transaction: Transaction) => Promise<T>): Promise<T> {
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
  const pool = { connect: () => Promise.resolve(connection), end: () => Promise.resolve(), options: {} };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

/** Escapes as JSON.stringify writes them; a surrogate is escaped only when it is half a pair. */
const escapes = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

/** JSON for a jsonb column: Postgres takes neither NUL nor half a surrogate pair. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\u0000") && !text.includes("\\ud")) return text;
  return text.replace(escapes, (escape) => (escape.length > 2 ? "\\ufffd" : escape));
}

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}
