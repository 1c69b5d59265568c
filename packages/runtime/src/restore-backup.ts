import type { RuntimeBackupLine } from "./backup.ts";
import type { PostgresOptions } from "./open-postgres.ts";

/**
 * Restores a backup into a new home or an empty database, completely or not at all. Returns the
 * number of rows. Unfinished runs continue when Bron is started on it.
 */
export async function restoreBackup(
  options: PostgresOptions,
  lines: AsyncIterable<RuntimeBackupLine>,
): Promise<number> {
  // Loaded only here, because a runtime on another store needs no Postgres.
  const { restoreLines } = await import("./backup.ts");
  return await restoreLines(options, lines);
}
