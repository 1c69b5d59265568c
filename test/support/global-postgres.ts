import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime } from "@bron/runtime";
import { shareAcrossProjects } from "./share-across-projects.ts";
import { createTemplateDatabase } from "./test-database.ts";

declare module "vitest" {
  interface ProvidedContext {
    /**
     * The URL of the server that all test files share, as its superuser. Each file creates its own
     * database.
     */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { value, release } = await shareAcrossProjects("postgres", openPostgres);
  project.provide("postgresUrl", value.adminUrl);
  return release;
}

async function openPostgres() {
  const home = await mkdtemp(join(tmpdir(), "bron-test-"));
  // If we are root, the server runs as another user, which must be able to enter the folder.
  await chmod(home, 0o711);
  const { adminUrl, close } = await openEmbeddedPostgres({ home });
  await useTestSettings(adminUrl);
  await createTemplateDatabase(adminUrl, createTables);
  return {
    adminUrl,
    async close() {
      await close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A first worker creates all tables: Bron's by migrations, and those of its queue. */
async function createTables(databaseUrl: string): Promise<void> {
  const runtime = await createRuntime({
    databaseUrl,
    secretKey: "a secret key for the template, long enough",
    model: { model: scriptedLanguageModel(() => ({ text: "" })), name: "none", maxOutputTokens: 1 },
    work: "own",
  });
  await runtime.close();
}

/**
 * The server is thrown away after the tests, so it need not survive a power cut. Autovacuum would
 * start a process a minute for each of the many small databases.
 */
async function useTestSettings(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    for (const setting of ["autovacuum", "fsync", "full_page_writes"])
      await client.query(`alter system set ${setting} = off`);
    await client.query("alter system set max_wal_size = '512MB'");
    await client.query("select pg_reload_conf()");
  } finally {
    await client.end();
  }
}
