import { readFile } from "node:fs/promises";
import type pg from "pg";
import { sum } from "./figures.ts";

/** What the database spent, measured from outside. */
export interface PostgresCost {
  readonly walBytes: number;
  /** CPU time of the connections of one database. NaN where /proc does not exist. */
  readonly cpuMs: number;
}

export async function measurePostgres<T>(
  admin: pg.Client,
  database: string,
  work: () => Promise<T>,
): Promise<T & { readonly postgres: PostgresCost }> {
  const before = await snapshot(admin, database);
  const measure = await work();
  const after = await snapshot(admin, database);
  // The time of a connection that was closed meanwhile is lost.
  const cpuMs = sum([...after.cpuMs].map(([pid, ms]) => ms - (before.cpuMs.get(pid) ?? 0)));
  return { ...measure, postgres: { walBytes: Number(after.wal - before.wal), cpuMs } };
}

async function snapshot(
  admin: pg.Client,
  database: string,
): Promise<{ wal: bigint; cpuMs: ReadonlyMap<number, number> }> {
  const { rows } = await admin.query<{ at: string; pids: number[] }>(
    "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as at, array(select pid from pg_stat_activity where datname = $1) as pids",
    [database],
  );
  const times = await Promise.all(
    (rows[0]?.pids ?? []).map(async (pid) => [pid, await cpuMsOf(pid)] as const),
  );
  return { wal: BigInt(rows[0]?.at ?? "0"), cpuMs: new Map(times) };
}

/** The first number of schedstat is the time on a CPU, in ns. */
async function cpuMsOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => "NaN");
  return Number(text.split(" ")[0]) / 1e6;
}
