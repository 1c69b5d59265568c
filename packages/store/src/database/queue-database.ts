import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/**
 * The connections of the engine's queue (DBOS), which keeps its own tables in the same database.
 */
interface QueueDatabase {
  readonly pool: pg.Pool;
  /** Whether a worker has already created the queue's tables. */
  hasTables(): Promise<boolean>;
  /**
   * Runs `work` while no other process does. Otherwise concurrent first starts would create the
   * same tables.
   */
  underLock(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const lockPauseMs = 50;

/**
 * Uses its own pool, because the queue holds connections for a long time. Connects on first use.
 */
export function openQueueDatabase(url: string): QueueDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: 6,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    keepAlive: true,
  });
  pool.on("error", () => undefined);
  // DBOS uses connections without an error listener. A broken one would crash the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return {
    pool,
    async hasTables() {
      const { rows } = await pool.query<{ found: boolean }>(
        "select to_regclass('dbos.workflow_status') is not null as found",
      );
      return rows[0]?.found === true;
    },
    underLock: (work) => underLock(pool, work),
    close: () => pool.end(),
  };
}

async function underLock(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    // Polls for the lock. DBOS builds indexes concurrently, which waits for every running
    // statement, so a statement that waits for this lock would deadlock.
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended('bron.dbos-launch', 0)) as locked",
      );
      if (rows[0]?.locked === true) break;
      await sleep(lockPauseMs);
    }
    await work();
  } finally {
    // Closes the connection instead of returning it, because the lock is released with the session
    // in any case.
    client.release(true);
  }
}
