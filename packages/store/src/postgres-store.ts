import type { Store, Waker } from "@bron/core";
import { postgresApprovals } from "./approvals.ts";
import { postgresArtifacts } from "./artifacts.ts";
import { postgresAudit } from "./audit.ts";
import { postgresBudgets } from "./budgets.ts";
import { createBlobs, type Blobs } from "./blobs.ts";
import type { OpenDatabase } from "./database.ts";
import { namingOutages } from "./database-errors.ts";
import { postgresEffects } from "./effects.ts";
import { postgresRunLog } from "./run-log.ts";
import { postgresRuns } from "./runs.ts";
import { postgresThreads } from "./threads.ts";
import { postgresUploads } from "./uploads.ts";
import { createWakeWriter } from "./wake.ts";

/** All that Bron keeps, on one database whose schema is up to date. */
export function createPostgresStore(
  database: Pick<OpenDatabase, "pool" | "heartbeats" | "db">,
  waker: Waker,
  blobs: Blobs = createBlobs(database.db),
): Store {
  const { pool, db } = database;
  const writer = createWakeWriter(pool, waker);
  return {
    log: namingOutages(postgresRunLog(database)),
    runs: namingOutages(postgresRuns({ pool, db }, writer)),
    approvals: namingOutages(postgresApprovals(db, writer)),
    artifacts: namingOutages(postgresArtifacts(db, blobs)),
    uploads: namingOutages(postgresUploads({ pool, db, writer, blobs })),
    threads: namingOutages(postgresThreads(pool)),
    budgets: namingOutages(postgresBudgets(db)),
    effects: namingOutages(postgresEffects(db)),
    audit: namingOutages(postgresAudit(db)),
  };
}
