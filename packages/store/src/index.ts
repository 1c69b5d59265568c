export { readAuditGuard, type AuditGuard } from "./audit-guard.ts";
export { exportDatabase, importDatabase, type BackupLine } from "./backup.ts";
export { createBlobs, type Blobs } from "./blobs.ts";
export { postgresBrons } from "./brons.ts";
export { openChangeFeed, type Change, type ChangeFeed } from "./change-feed.ts";
export { withDatabaseErrors } from "./database-errors.ts";
export { openDatabase, type OpenDatabase } from "./database.ts";
export { postgresLoad, type Load } from "./load.ts";
export { migrate } from "./migrate.ts";
export { postgresContacts } from "./contacts.ts";
export { postgresPermissions } from "./permissions.ts";
export { postgresUsage } from "./usage.ts";
export { s3Store, type S3Settings } from "./s3-store.ts";
export { setUpDatabase } from "./set-up-database.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { openQueueDatabase, type QueueDatabase } from "./queue-database.ts";
export { takeRunnable } from "./sweep.ts";
export { postgresPartialTexts, type PartialText, type PartialTextStore } from "./partial-texts.ts";
export { postgresApiTokens, type ApiTokens, type ActiveToken } from "./api-tokens.ts";
export { postgresRates, type Rates } from "./rates.ts";
export { postgresSessions, type ActiveSession, type Sessions } from "./sessions.ts";
export { postgresStreamSlots, type StreamSlots } from "./stream-slots.ts";
export { postgresModelKeys, type ModelKeys } from "./model-keys.ts";
export { postgresOauthTokens, type OauthTokens } from "./oauth-tokens.ts";
export { checkInstance, postgresUsedKeys } from "./instance.ts";
export {
  inspectEmbeddedPostgres,
  openEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./embedded/embedded-postgres.ts";
