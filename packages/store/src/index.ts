export { readAuditGuard, type AuditGuard } from "./database/audit-guard.ts";
export { exportDatabase, importDatabase, type BackupLine } from "./database/backup.ts";
export { createBlobs, type Blobs } from "./files/blobs.ts";
export { postgresBrons } from "./tables/brons.ts";
export { openChangeFeed } from "./log/change-feed.ts";
export { withDatabaseErrors } from "./database/database-errors.ts";
export { openDatabase, type OpenDatabase } from "./database/database.ts";
export { migrate } from "./database/migrate.ts";
export { postgresPermissions } from "./tables/permissions.ts";
export { s3Store, type S3Settings } from "./files/s3-store.ts";
export { setUpDatabase } from "./database/set-up-database.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { openQueueDatabase } from "./database/queue-database.ts";
export { takeRunnable } from "./runs/sweep.ts";
export { postgresApiTokens } from "./access/api-tokens.ts";
export { postgresRates } from "./access/rates.ts";
export { postgresSessions } from "./access/sessions.ts";
export { postgresStreamSlots } from "./access/stream-slots.ts";
export { postgresModelKeys } from "./access/model-keys.ts";
export { postgresOauthTokens } from "./access/oauth-tokens.ts";
export { checkInstance } from "./database/instance.ts";
export {
  inspectEmbeddedPostgres,
  openEmbeddedPostgres,
  type EmbeddedPostgres,
} from "./embedded/embedded-postgres.ts";
export { postgresWorkers } from "./tables/workers.ts";
