// Who uses the server: each process holds a shared advisory lock on its keeper connection. The server drops it with the
// connection, so a killed process does not count as a user for longer than the server takes to see that it is gone.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { errnoOf } from "./failures.ts";
import { isAlive } from "./is-alive.ts";

/** "bron" as a number. Advisory locks are per database, and the keepers are alone in theirs. */
const lockKey = 0x62_72_6f_6e;
const longestFuneralMs = 2_000;

/** False while the last user is stopping the server. */
export async function joinUsers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ joined: boolean }>(
    "select pg_try_advisory_lock_shared($1) as joined",
    [lockKey],
  );
  return rows[0]?.joined === true;
}

/** True for the last one out, who keeps all others from joining until the connection ends. */
export async function leaveUsers(client: pg.Client): Promise<boolean> {
  await client.query("select pg_advisory_unlock_shared($1)", [lockKey]);
  for (
    const until = performance.now() + longestFuneralMs;
    performance.now() < until;
    await sleep(10)
  ) {
    const { rows } = await client.query<{ last: boolean }>(
      "select pg_try_advisory_lock($1) as last",
      [lockKey],
    );
    if (rows[0]?.last === true) return true;
    if (await hasLivingUser(client)) return false;
  }
  return false;
}

/** By the process that `connect` puts into the name of a connection. */
async function hasLivingUser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [lockKey],
  );
  return rows.some(({ name }) => isAlive(Number(name.split(" ").at(-1))));
}

/** Safe when several processes do it at once: the name is unique, and the losers see that it exists. */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (errnoOf(error) !== "42P04" && errnoOf(error) !== "23505") throw error;
  }
}
