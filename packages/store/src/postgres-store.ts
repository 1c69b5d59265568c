import type { Store, Waker } from "@bron/core";
import { postgresApprovals } from "./approvals.ts";
import { postgresQuestions } from "./questions.ts";
import { postgresArtifacts } from "./artifacts.ts";
import { postgresAskUses } from "./ask-uses.ts";
import { postgresAudit } from "./audit.ts";
import { postgresBudgets } from "./budgets.ts";
import { postgresClientActions } from "./client-actions.ts";
import { postgresDenials } from "./denials.ts";
import { createBlobs, type Blobs } from "./blobs.ts";
import type { OpenDatabase } from "./database.ts";
import { wrapDatabaseErrors } from "./database-errors.ts";
import { postgresEffects } from "./effects.ts";
import { postgresBrons } from "./brons.ts";
import { postgresContacts } from "./contacts.ts";
import { postgresUsedKeys } from "./instance.ts";
import { postgresLoad } from "./load.ts";
import { postgresModelKeys } from "./model-keys.ts";
import { postgresOauthTokens } from "./oauth-tokens.ts";
import { postgresPartialTexts } from "./partial-texts.ts";
import { postgresPermissions } from "./permissions.ts";
import { postgresRunLog } from "./run-log.ts";
import { postgresRuns } from "./runs.ts";
import { postgresThreads } from "./threads.ts";
import { postgresUploads } from "./uploads.ts";
import { postgresUsage } from "./usage.ts";
import { createWakeWriter } from "./wake.ts";
import { postgresWorkers } from "./workers.ts";
import { postgresWritten } from "./written-things.ts";

/** Creates the store on a database whose schema is up to date. */
export function createPostgresStore(
  database: Pick<OpenDatabase, "pool" | "heartbeats" | "db">,
  waker: Waker,
  blobs: Blobs = createBlobs(database.db),
): Store {
  const { pool, db } = database;
  const writer = createWakeWriter(pool, waker);
  return {
    log: wrapDatabaseErrors(postgresRunLog(database)),
    runs: wrapDatabaseErrors(postgresRuns({ pool, db }, writer)),
    workers: wrapDatabaseErrors(postgresWorkers(pool)),
    approvals: wrapDatabaseErrors(postgresApprovals(db, writer)),
    questions: wrapDatabaseErrors(postgresQuestions(db, writer)),
    clientActions: wrapDatabaseErrors(postgresClientActions(db, writer)),
    artifacts: wrapDatabaseErrors(postgresArtifacts(db, blobs)),
    uploads: wrapDatabaseErrors(postgresUploads({ pool, db, writer, blobs })),
    threads: wrapDatabaseErrors(postgresThreads({ pool, db })),
    budgets: wrapDatabaseErrors(postgresBudgets(db)),
    effects: wrapDatabaseErrors(postgresEffects(db)),
    askUses: postgresAskUses(pool),
    denials: postgresDenials(pool),
    written: postgresWritten(pool),
    audit: wrapDatabaseErrors(postgresAudit(db)),
    brons: postgresBrons(database),
    permissions: postgresPermissions(database),
    partialTexts: postgresPartialTexts(db),
    usedKeys: postgresUsedKeys(db),
    usage: postgresUsage(pool),
    contacts: postgresContacts(pool),
    oauthTokens: postgresOauthTokens({ db, pool }),
    modelKeys: postgresModelKeys(pool),
    load: postgresLoad(pool),
  };
}
