export { readAuditGuard, type AuditGuard } from "./audit-guard.ts";
export { exportDatabase, importDatabase, type BackupLine } from "./backup.ts";
export { createBlobs, type Blobs } from "./blobs.ts";
export { postgresBrons } from "./brons.ts";
export { openChangeFeed } from "./change-feed.ts";
export { withDatabaseErrors } from "./database-errors.ts";
export { openDatabase, type OpenDatabase } from "./database.ts";
export { postgresLoad } from "./load.ts";
export { migrate } from "./migrate.ts";
export { postgresContacts } from "./contacts.ts";
export { postgresPermissions } from "./permissions.ts";
export { postgresUsage } from "./usage.ts";
export { s3Store, type S3Settings } from "./s3-store.ts";
export { setUpDatabase } from "./set-up-database.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { openQueueDatabase, type QueueDatabase } from "./queue-database.ts";
export { takeRunnable } from "./sweep.ts";
export { postgresPartialTexts } from "./partial-texts.ts";
export { postgresApiTokens } from "./api-tokens.ts";
export { postgresRates } from "./rates.ts";
export { postgresSessions } from "./sessions.ts";
export { postgresStreamSlots } from "./stream-slots.ts";
export { postgresModelKeys } from "./model-keys.ts";
export { postgresOauthTokens } from "./oauth-tokens.ts";
export { checkInstance, postgresUsedKeys } from "./instance.ts";
export {
  inspectEmbeddedPostgres,
  openEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./embedded/embedded-postgres.ts";
export { postgresWorkers } from "./workers.ts";
