import type { Store, Waker } from "@bron/core";
import { postgresApprovals } from "./tables/approvals.ts";
import { postgresQuestions } from "./tables/questions.ts";
import { postgresArtifacts } from "./files/artifacts.ts";
import { postgresAskUses } from "./tables/ask-uses.ts";
import { postgresAudit } from "./tables/audit.ts";
import { postgresBudgets } from "./tables/budgets.ts";
import { postgresClientActions } from "./tables/client-actions.ts";
import { postgresDenials } from "./tables/denials.ts";
import { createBlobs, type Blobs } from "./files/blobs.ts";
import type { OpenDatabase } from "./database/database.ts";
import { wrapDatabaseErrors } from "./database/database-errors.ts";
import { postgresEffects } from "./tables/effects.ts";
import { postgresBrons } from "./tables/brons.ts";
import { postgresContacts } from "./tables/contacts.ts";
import { postgresUsedKeys } from "./database/instance.ts";
import { postgresLoad } from "./tables/load.ts";
import { postgresMemory } from "./tables/memory.ts";
import { postgresMcpPins } from "./access/mcp-pins.ts";
import { postgresModelKeys } from "./access/model-keys.ts";
import { postgresOauthClients } from "./access/oauth-clients.ts";
import { postgresOauthTokens } from "./access/oauth-tokens.ts";
import { postgresPartialTexts } from "./tables/partial-texts.ts";
import { postgresPermissions } from "./tables/permissions.ts";
import { postgresRunLog } from "./log/run-log.ts";
import { postgresRuns } from "./runs/runs.ts";
import { postgresSkills } from "./tables/skills.ts";
import { postgresSchedules } from "./tables/schedules.ts";
import { postgresThreads } from "./tables/threads.ts";
import { postgresUpkeep } from "./runs/upkeep.ts";
import { postgresUploads } from "./files/uploads.ts";
import { postgresUsage } from "./tables/usage.ts";
import { createWakeWriter } from "./runs/wake.ts";
import { postgresWorkers } from "./tables/workers.ts";
import { postgresWritten } from "./tables/written-things.ts";

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
    budgets: wrapDatabaseErrors(postgresBudgets({ pool, db })),
    schedules: wrapDatabaseErrors(postgresSchedules({ pool, db }, writer)),
    effects: wrapDatabaseErrors(postgresEffects(db, writer)),
    askUses: postgresAskUses(pool),
    denials: postgresDenials(pool),
    written: postgresWritten(pool),
    audit: wrapDatabaseErrors(postgresAudit(db)),
    brons: postgresBrons(database),
    memory: postgresMemory(database),
    upkeep: postgresUpkeep(database, writer),
    skills: postgresSkills({ pool }),
    permissions: postgresPermissions(database),
    partialTexts: postgresPartialTexts(db),
    usedKeys: postgresUsedKeys(db),
    usage: postgresUsage(pool),
    contacts: postgresContacts(pool),
    oauthTokens: postgresOauthTokens({ db, pool }),
    modelKeys: postgresModelKeys(pool),
    oauthClients: postgresOauthClients(pool),
    mcpPins: postgresMcpPins(pool),
    load: postgresLoad(pool),
  };
}
