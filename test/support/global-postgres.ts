import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "@bron/store";
import { shareAcrossProjects } from "./share-across-projects.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The server that all test files share, as its superuser. Each file makes its own database. */
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
  // As root the server runs under another user ID, which must be able to enter the folder.
  await chmod(home, 0o711);
  const { adminUrl, close } = await openEmbeddedPostgres({ home });
  return {
    adminUrl,
    async close() {
      await close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
