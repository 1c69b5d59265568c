import type pg from "pg";
import type { Cluster } from "./cluster.ts";
import { clusterUser } from "./cluster.ts";
import { errnoOf } from "./failures.ts";

/** Who Bron's own connections are: no right binds a superuser, so they are none. */
export const appUser = "bron_app";

/**
 * What the superuser owns the app uses as its own, in old homes too; it can neither become the superuser nor what it gave away.
 * Safe when several processes do it at once: the name is unique, and the losers see that it exists.
 */
export async function ensureAppRole(client: pg.Client, { password }: Cluster): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [appUser]);
  if (rowCount !== 0) return;
  try {
    // Two statements in one message are one transaction: nobody meets the role without its rights.
    await client.query(
      `create role ${appUser} login createdb password ${client.escapeLiteral(password)}; grant ${clusterUser} to ${appUser} with inherit true, set false`,
    );
  } catch (error) {
    if (errnoOf(error) !== "42710" && errnoOf(error) !== "23505") throw error;
  }
}
