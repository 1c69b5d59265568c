import { guardAudit } from "./audit-guard.ts";
import { openDatabase } from "./database.ts";
import { withNamedOutages } from "./database-errors.ts";
import { migrate } from "./migrate.ts";

/** Brings the schema up to date and guards the audit, as `adminUrl`, for the role of `url`. Safe from many processes at once. */
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
    await withNamedOutages(async () => {
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
  // An address may leave the name out; the server knows it.
  const { rows } = await pool.query<{ name: string }>("select current_user as name");
  return rows[0]?.name ?? "";
}
