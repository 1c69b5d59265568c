import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { openEmbeddedPostgres } from "@bron/store";

declare module "vitest" {
  interface ProvidedContext {
    /** The server that all test files share, as its superuser; each makes a database of its own. */
    postgresUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(join(tmpdir(), "bron-test-"));
  // As root the server runs as another uid, which must be able to enter; otherwise its data would lie elsewhere and stay.
  await chmod(home, 0o711);
  const postgres = await openEmbeddedPostgres({ home });
  project.provide("postgresUrl", postgres.adminUrl);
  return async () => {
    await postgres.close();
    await rm(home, { recursive: true, force: true });
  };
}
