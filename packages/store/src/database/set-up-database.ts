import { guardAudit } from "./audit-guard.ts";
import { openDatabase } from "./database.ts";
import { withDatabaseErrors } from "./database-errors.ts";
import { migrate } from "./migrate.ts";

/**
 * Migrates the schema and protects the audit log, as `adminUrl`, for the role of `url`. Safe to run
 * in several processes.
 */
export async function setUpDatabase({
  url,
  adminUrl,
}: {
  readonly url: string;
  readonly adminUrl: string;
}): Promise<void> {
  const database = await openDatabase({
    url: adminUrl,
    poolSize: 2,
    applicationName: "bron-setup",
  });
  try {
    await withDatabaseErrors(async () => {
      await migrate(database.db);
      await guardAudit(database.pool, await userOf(url, adminUrl, database));
    });
  } finally {
    await database.close();
  }
}

async function userOf(
  url: string,
  adminUrl: string,
  { pool }: Awaited<ReturnType<typeof openDatabase>>,
): Promise<string> {
  if (url !== adminUrl) return decodeURIComponent(new URL(url).username);
  // A URL may omit the user name, so ask the server.
  const { rows } = await pool.query<{ name: string }>("select current_user as name");
  return rows[0]?.name ?? "";
}
