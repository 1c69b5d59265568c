import { randomBytes } from "node:crypto";
import pg from "pg";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const templateName = "bron_template";

/**
 * Creates the database that the databases of the tests are copied from, so that the tables of Bron
 * and of its queue are created once instead of for every test.
 */
export async function createTemplateDatabase(
  serverUrl: string,
  createTables: (url: string) => Promise<void>,
): Promise<void> {
  await onServer(serverUrl, `create database ${templateName}`);
  const url = urlOf(serverUrl, templateName);
  await createTables(url);
  // Each test has a secret key of its own, and the first process that opens a database decides.
  await onServer(url, "delete from instance");
}

/** Creates a database on the shared test server: with all tables, or an empty one. */
export async function createTestDatabase(
  serverUrl: string,
  { isEmpty = false }: { readonly isEmpty?: boolean } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  const template = isEmpty ? "template1" : templateName;
  // Copying the files takes half the work of copying them through the log.
  await onServer(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  return {
    url: urlOf(serverUrl, name),
    drop: () => dropDatabase(serverUrl, name),
  };
}

const maxLooks = 50;

/**
 * A pool has ended before the server has closed its connections. A connection that the server ends
 * by force then fails in a client without a listener. So this waits up to half a second first.
 */
async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    for (let look = 0; look < maxLooks; look++) {
      const { rowCount } = await client.query(
        "select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend'",
        [name],
      );
      if (rowCount === 0) break;
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    }
    await client.query(`drop database if exists ${name} with (force)`);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
