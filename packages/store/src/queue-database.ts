import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** The connections through which the engine's queue (DBOS) keeps its own tables, in the same database. */
export interface QueueDatabase {
  readonly pool: pg.Pool;
  /** Whether any worker has ever made the queue's tables here. */
  hasTables(): Promise<boolean>;
  /** Runs `work` while no other process does: first starts at the same time would make the same tables. */
  underLock(work: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

const lockPauseMs = 50;

/** A pool apart from the store's: the queue checks connections out for long. Connects when it is first used. */
export function openQueueDatabase(url: string): QueueDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: 6,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    keepAlive: true,
  });
  pool.on("error", () => undefined);
  // DBOS checks connections out without listening; one that breaks then would end the process.
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
    // Asked for again and again: DBOS builds indexes concurrently, which waits for every statement that is under way, and so for one that waits for this lock.
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended('bron.dbos-launch', 0)) as locked",
      );
      if (rows[0]?.locked === true) break;
      await sleep(lockPauseMs);
    }
    await work();
  } finally {
    // Ended, not returned: the lock goes with the session, whatever happened to it.
    client.release(true);
  }
}
