// Tracks the users of the server. Each process holds a shared advisory lock on its own connection.
// The server releases the lock with the connection, so a killed process stops counting as soon as
// the server notices.
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { errnoOf } from "./failures.ts";
import { isAlive } from "./is-alive.ts";

/** "bron" as a number. Advisory locks are per database, and only these connections use this one. */
const lockKey = 0x62_72_6f_6e;
const longestFuneralMs = 2_000;

/** Returns false while the last user is stopping the server. */
export async function joinUsers(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ joined: boolean }>(
    "select pg_try_advisory_lock_shared($1) as joined",
    [lockKey],
  );
  return rows[0]?.joined === true;
}

/** Returns true for the last user, who prevents others from joining until the connection ends. */
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

/** Checks the pids that `connect` puts into the application names. */
async function hasLivingUser(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and objid = $1 and granted`,
    [lockKey],
  );
  return rows.some(({ name }) => isAlive(Number(name.split(" ").at(-1))));
}

/**
 * Safe to run in several processes, because the name is unique and the others see that it exists.
 */
export async function ensureDatabase(client: pg.Client, name: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  if (rowCount !== 0) return;
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
  } catch (error) {
    if (errnoOf(error) !== "42P04" && errnoOf(error) !== "23505") throw error;
  }
}
