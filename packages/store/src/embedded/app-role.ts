import type pg from "pg";
import type { Cluster } from "./cluster.ts";
import { clusterUser } from "./cluster.ts";
import { errnoOf } from "./failures.ts";

/**
 * The role of Bron's own connections. It is not a superuser, because rights do not apply to
 * superusers.
 */
export const appUser = "bron_app";

/**
 * The role can use everything that the superuser owns, in old homes too. It cannot become the
 * superuser, and cannot regain what was transferred to another role. Safe to run in several
 * processes, because the name is unique and the others see that it exists.
 */
export async function ensureAppRole(client: pg.Client, { password }: Cluster): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [appUser]);
  if (rowCount !== 0) return;
  try {
    // Two statements in one message are one transaction, so the role never exists without its
    // rights.
    await client.query(
      `create role ${appUser} login createdb password ${client.escapeLiteral(password)}; grant ${clusterUser} to ${appUser} with inherit true, set false`,
    );
  } catch (error) {
    if (errnoOf(error) !== "42710" && errnoOf(error) !== "23505") throw error;
  }
}
