export { exportDatabase, importDatabase, type BackupLine } from "./backup.ts";
export { openChangeFeed, type Change, type ChangeFeed } from "./change-feed.ts";
export { openDatabase, type DatabaseOptions, type OpenDatabase } from "./database.ts";
export { migrate } from "./migrate.ts";
export { createPostgresStore } from "./postgres-store.ts";
export { takeRunnable } from "./sweep.ts";
export { postgresAnswers, type AnswerInProgress, type Answers } from "./answers.ts";
export { checkInstance, useOnce } from "./instance.ts";
export { inspectEmbeddedPostgres, openEmbeddedPostgres, type EmbeddedPostgres } from "./embedded/embedded-postgres.ts";
