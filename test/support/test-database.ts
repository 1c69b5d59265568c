import { randomBytes } from "node:crypto";
import pg from "pg";

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates a database on the shared test server. */
export async function createTestDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`),
  };
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
